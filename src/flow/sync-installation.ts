import type { RepositoryFacts } from '../domain/event.ts'
import type { InstallationFacts } from '../domain/installation.ts'
import { endSync } from '../store/installation-syncs.ts'
import { findInstallation, updateInstallation } from '../store/installations.ts'
import { timeOf } from '../store/age.ts'
import { holdLock } from '../store/locks.ts'
import { managedRepositories } from '../store/repositories.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import { manageRepositories, releaseRepositories } from './repository/manage-repositories.ts'
import { storeInstallation } from './repository/store-installation.ts'
import { transact, type Transaction } from './transact.ts'

/**
 * Looks up the repositories of an installation of the app, since events may be lost or incomplete. One
 * that no longer exists is stored as removed. False where no app is set up.
 */
export async function syncInstallation(ctx: Context, codehost_id: number): Promise<boolean> {
  const { installations } = ctx.codehosts.codehost ?? {}
  if (!installations) {
    await endSync(ctx.db, codehost_id)
    return false
  }
  const begun = await timeOf(ctx.db)
  const facts = await installations.find(codehost_id)
  // A suspended installation cannot be queried, and keeps its repositories.
  const repositories =
    facts && !facts.suspended ? await installations.repositories(codehost_id) : undefined

  const released = await transact(ctx, async (tx) => {
    await holdLock(tx.db, `installation:${codehost_id}`)
    await endSync(tx.db, codehost_id, begun)
    if (!facts) return remove(tx, codehost_id)
    return store(tx, facts, repositories)
  })
  await cancelJobs(ctx, released, ['created'])
  ctx.log.info(
    { installation: codehost_id, repositories: repositories?.length },
    'installation was looked up',
  )
  return true
}

async function store(
  tx: Transaction,
  facts: InstallationFacts,
  repositories: readonly RepositoryFacts[] | undefined,
): Promise<number[]> {
  const installation = await storeInstallation(tx, facts)
  if (!repositories) return []
  await manageRepositories(tx, installation, repositories)

  const present = new Set(repositories.map((repository) => repository.codehost_id))
  const managed = await managedRepositories(tx.db, installation.id)
  const gone = managed.filter((repository) => !present.has(repository.codehost_id))
  const ids = gone.map(({ id }) => id)
  await releaseRepositories(tx.db, ids)
  return ids
}

async function remove({ db, now }: Transaction, codehost_id: number): Promise<number[]> {
  const installation = await findInstallation(db, { codehost_id })
  if (!installation || installation.removed_at !== null) return []
  await updateInstallation(db, installation.id, { removed_at: now() })
  const ids = (await managedRepositories(db, installation.id)).map(({ id }) => id)
  await releaseRepositories(db, ids)
  return ids
}
