import type { RepositoryEvent } from '../domain/event.ts'
import { unfinished } from '../domain/job.ts'
import type { Repository } from '../domain/repository.ts'
import { slugOf } from '../domain/repository.ts'
import { findInstallation, findInstallationOf } from '../store/installations.ts'
import { holdLock } from '../store/locks.ts'
import { dropPermissionsOn } from '../store/permissions.ts'
import { updateRepository } from '../store/repositories.ts'
import type { Database, Installation } from '../store/tables.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import type { EventOutcome } from './event/event-outcome.ts'
import { manageRepository, releaseRepositories } from './repository/manage-repositories.ts'
import { refreshRepository, storeFromEvent } from './repository/refresh-repository.ts'
import { startSyncs } from './repository/start-syncs.ts'
import { transact, type Transaction } from './transact.ts'

/** Stores what happened to a repository at the code host. */
export async function followRepository(
  ctx: Context,
  event: RepositoryEvent,
): Promise<EventOutcome> {
  const { provider, codehost_id, name } = event.repository
  const repository = await transact(ctx, async (tx) => {
    await holdLock(tx.db, `receive:${provider}:${codehost_id}`)
    if (event.action === 'created') return create(tx, event)
    const known = await refreshRepository(tx.db, event)
    if (known) await follow(tx, event, known)
    return known
  })
  if (!repository) return { ignored: `repository ${name} was ${event.action}, and is unknown here` }
  if (event.action === 'deleted') await cancelJobs(ctx, [repository.id], unfinished)
  return { noted: `repository ${slugOf(repository)} was ${event.action}` }
}

/** An installation on all repositories includes new ones as well, without another event. */
async function create(tx: Transaction, event: RepositoryEvent): Promise<Repository | undefined> {
  const repository = await storeFromEvent(tx.db, event.repository)
  if (!repository) return undefined
  const installation = await installationOf(tx.db, event, repository)
  if (installation?.repository_selection === 'all') {
    await manageRepository(tx, installation, repository)
  }
  return repository
}

async function follow(
  tx: Transaction,
  event: RepositoryEvent,
  repository: Repository,
): Promise<void> {
  const { id } = repository
  if (event.action === 'archived') await updateRepository(tx.db, id, { archived_at: tx.now() })
  if (event.action === 'unarchived') await updateRepository(tx.db, id, { archived_at: null })
  if (event.action === 'deleted') {
    await updateRepository(tx.db, id, { deleted_at: tx.now(), active: false })
  }
  if (event.action === 'transferred') {
    const installation = await installationOf(tx.db, event, repository)
    if (installation) await manageRepository(tx, installation, repository)
    else await releaseRepositories(tx.db, [id])
    // What people may do with it is another owner's matter now.
    await startSyncs(tx, await dropPermissionsOn(tx.db, id))
  }
}

/** The installation of the repository's owner; that of another owner is ignored. */
async function installationOf(
  db: Database,
  { installation_codehost_id }: RepositoryEvent,
  owner: Pick<Repository, 'owner_id' | 'owner_type'>,
): Promise<Installation | undefined> {
  if (installation_codehost_id === null) return findInstallationOf(db, owner)
  const named = await findInstallation(db, { codehost_id: installation_codehost_id })
  const isOwners = named?.owner_id === owner.owner_id && named.owner_type === owner.owner_type
  return isOwners && named.removed_at === null ? named : findInstallationOf(db, owner)
}
