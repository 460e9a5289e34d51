import { CodehostError, type Installations } from '../codehost/codehost.ts'
import type { RepositoryFacts } from '../domain/event.ts'
import { type InstallationFacts, isOfEnterprise } from '../domain/installation.ts'
import { unfinished } from '../domain/job/job.ts'
import { slugOf } from '../domain/repository.ts'
import { timeOf } from '../store/age.ts'
import { endSync } from '../store/installation-syncs.ts'
import { findInstallation } from '../store/installations.ts'
import { holdLock } from '../store/locks.ts'
import {
  type ManagedRepository,
  managedRepositories,
  markRepositoryDeleted,
} from '../store/repositories.ts'
import type { Database } from '../store/tables.ts'
import { cancelJobs } from './build/cancel-jobs.ts'
import type { Context } from './context.ts'
import { manageRepositories, releaseRepositories } from './repository/manage-repositories.ts'
import { removeInstallation, storeInstallation } from './repository/store-installation.ts'
import { transact, type Transaction } from './transact.ts'

/** What the code host says of an installation. */
interface Found {
  facts: InstallationFacts
  /** Undefined for a suspended one, which cannot be queried, and keeps its repositories. */
  repositories: readonly RepositoryFacts[] | undefined
  /** Ids of those that it had, and that the code host does not know any more. */
  deleted: ReadonlySet<number>
  /** No later than it was read. */
  at: Date
}

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
  const at = await timeOf(ctx.db)
  const found = await readInstallation(ctx.db, installations, codehost_id, at)
  const released = await transact(ctx, async (tx) => {
    await holdLock(tx.db, `installation:${codehost_id}`)
    await endSync(tx.db, codehost_id, at)
    return found ? store(tx, found) : removeInstallation(tx, codehost_id, null)
  })
  await cancelJobs(ctx, released, ['created'])
  await cancelJobs(
    ctx,
    released.filter((id) => found?.deleted.has(id)),
    unfinished,
  )
  ctx.log.info(
    { installation: codehost_id, repositories: found?.repositories?.length },
    'installation was looked up',
  )
  return true
}

async function readInstallation(
  db: Database,
  installations: Installations,
  codehost_id: number,
  at: Date,
): Promise<Found | undefined> {
  const facts = await installations.find(codehost_id)
  if (!facts || isOfEnterprise(facts)) return undefined
  if (facts.suspended) return { facts, repositories: undefined, deleted: new Set(), at }
  const repositories = await installations.repositories(codehost_id)
  const deleted = new Set<number>()
  // What was taken from an installation on some repositories is not shown either, and is still there.
  if (facts.repository_selection === 'all') {
    const known = await findInstallation(db, { codehost_id })
    for (const gone of known ? await goneFrom(db, known.id, { repositories, at }) : []) {
      const ref = { codehost_id: gone.codehost_id, slug: slugOf(gone) }
      if (!(await isShown(installations, codehost_id, ref))) deleted.add(gone.id)
    }
  }
  return { facts, repositories, deleted, at }
}

/** One that is found by its name alone is another one. */
async function isShown(
  installations: Installations,
  installation: number,
  ref: { codehost_id: number; slug: string },
): Promise<boolean> {
  try {
    const shown = await installations.repository(installation, ref)
    return shown?.codehost_id === ref.codehost_id
  } catch (error) {
    if (error instanceof CodehostError && !error.temporary) return true
    throw error
  }
}

/** The repositories that an installation had, and that were not among these. What changed since stays. */
async function goneFrom(
  db: Database,
  id: number,
  { repositories, at }: { repositories: readonly RepositoryFacts[]; at: Date },
): Promise<ManagedRepository[]> {
  const present = new Set(repositories.map(({ codehost_id }) => codehost_id))
  const managed = await managedRepositories(db, id)
  return managed.filter(({ codehost_id, updated_at }) => {
    return !present.has(codehost_id) && updated_at <= at
  })
}

async function store(
  tx: Transaction,
  { facts, repositories, deleted, at }: Found,
): Promise<number[]> {
  const installation = await storeInstallation(tx, facts, { seen_at: at })
  if (!repositories || installation.removed_at !== null) return []
  const gone = await goneFrom(tx.db, installation.id, { repositories, at })
  await manageRepositories(tx, installation, repositories, at)
  const ids = gone.map(({ id }) => id)
  await releaseRepositories(tx.db, ids)
  for (const id of ids) {
    if (deleted.has(id)) await markRepositoryDeleted(tx.db, id)
  }
  return ids
}
