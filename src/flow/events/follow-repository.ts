import type { RepositoryEvent } from '../../domain/event.ts'
import { unfinished } from '../../domain/job/job.ts'
import type { Repository } from '../../domain/repository.ts'
import { slugOf } from '../../domain/repository.ts'
import { findInstallation, findInstallationOf } from '../../store/installations/installations.ts'
import { dropPermissionsOn, holdersOf } from '../../store/people/permissions.ts'
import { readersOf } from '../../store/people/sync-pages.ts'
import { lockRepository } from '../../store/repositories/locked-repositories.ts'
import {
  findKnownRepository,
  findRepository,
  markRepositoryDeleted,
} from '../../store/repositories/repositories.ts'
import type { Database, Installation } from '../../store/tables.ts'
import { cancelJobs } from '../builds/cancel-jobs.ts'
import type { Context } from '../context.ts'
import { type Asked, askAbout } from '../repositories/ask-about.ts'
import { manageRepository, releaseRepositories } from '../repositories/manage-repositories.ts'
import { doubtful, refreshRepository } from '../repositories/refresh-repository.ts'
import { startSyncs } from '../repositories/start-syncs.ts'
import { storeRepository } from '../repositories/store-repository.ts'
import { transact, type Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { holdEvents } from './hold-events.ts'

/** Stores what happened to a repository at the code host. */
export async function followRepository(
  ctx: Context,
  event: RepositoryEvent,
): Promise<EventOutcome> {
  const { name } = event.repository
  const first = await followOnce(ctx, event)
  const followed =
    first === doubtful ? await followOnce(ctx, event, await askAbout(ctx, event)) : first
  if (!followed || followed === doubtful) {
    return { ignored: `repository ${name} was ${event.action}, and is unknown here` }
  }
  const { repository, isStill } = followed
  if (isStill) {
    const why = 'the code host still shows it, or shows nothing while the app is suspended'
    return { ignored: `${slugOf(repository)} is not treated as deleted: ${why}` }
  }
  if (event.action === 'deleted') {
    await cancelJobs(ctx, [repository.id], unfinished, 'the repository was deleted')
  }
  return { noted: `repository ${slugOf(repository)} was ${event.action}` }
}

interface Followed {
  repository: Repository
  /** Whether a repository that the event reports as deleted may still exist. */
  isStill?: boolean
}

function followOnce(
  ctx: Context,
  event: RepositoryEvent,
  asked?: Asked,
): Promise<Followed | typeof doubtful | undefined> {
  return transact(ctx, async (tx) => {
    await holdEvents(tx, event.repository)
    if (event.action === 'created') {
      const repository = await create(tx, event)
      if (repository) return { repository }
    }
    // A deletion is not undone automatically, so it is always confirmed with the code host.
    if (event.action === 'deleted') return end(tx, event, asked)
    const before = await findRepository(tx.db, event.repository)
    const holders = before ? await holdersOf(tx.db, before.id) : []
    const known = await knownBefore(tx, event, asked)
    if (!known || known === doubtful) return known
    // Permissions are dropped if the code host no longer shows the repository: nothing can confirm them.
    const isHidden = asked !== undefined && !asked.facts && !asked.suspended
    if (event.action === 'transferred' && isHidden) await dropPermissionsOn(tx.db, known.id)
    await follow(tx, event, { repository: known, holders })
    return { repository: known }
  })
}

/**
 * Stores a new repository. An installation on all repositories includes it without another event.
 * Undefined if the repository is known already.
 */
async function create(tx: Transaction, event: RepositoryEvent): Promise<Repository | undefined> {
  const { owner, archived, ...facts } = event.repository
  if (!owner || (await lockRepository(tx.db, { ...facts, owner }))) return undefined
  const repository = await storeRepository(tx.db, { ...facts, owner, archived: archived === true })
  const installation = await installationOf(tx.db, event, repository)
  if (installation?.repository_selection === 'all') {
    await manageRepository(tx, installation, repository)
  }
  return repository
}

async function end(
  tx: Transaction,
  { repository: { provider, codehost_id } }: RepositoryEvent,
  asked: Asked | undefined,
): Promise<Followed | typeof doubtful | undefined> {
  const repository = await findRepository(tx.db, { provider, codehost_id })
  if (!repository) return undefined
  if (!asked) return doubtful
  if (asked.facts || asked.suspended) return { repository, isStill: true }
  await markRepositoryDeleted(tx.db, repository.id)
  return { repository }
}

/** The repository as it is now. If it was made private, syncs of its readers are started. */
async function knownBefore(tx: Transaction, event: RepositoryEvent, asked: Asked | undefined) {
  const found = await findKnownRepository(tx.db, event.repository)
  const known = await refreshRepository(tx.db, found, event, asked)
  if (known && known !== doubtful && event.action === 'privatized') {
    await startSyncs(tx, await readersOf(tx.db, known.id))
  }
  return known
}

async function follow(
  tx: Transaction,
  event: RepositoryEvent,
  { repository, holders }: { repository: Repository; holders: readonly number[] },
): Promise<void> {
  if (event.action !== 'transferred') return
  const installation = await installationOf(tx.db, event, repository)
  if (installation) await manageRepository(tx, installation, repository)
  else await releaseRepositories(tx.db, [repository.id])
  // A change of owner ends these users' rights. The event may be old, or follow a push that showed it.
  const readers = await readersOf(tx.db, repository.id)
  await startSyncs(tx, [...new Set([...holders, ...readers])])
}

/** The installation of the repository's owner; an installation of another owner is ignored. */
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
