import { CodehostError, type Installations } from '../../codehost/codehost.ts'
import type { RepositoryFacts } from '../../domain/event.ts'
import { type InstallationFacts, isOfEnterprise } from '../../domain/installation.ts'
import { unfinished } from '../../domain/job/job.ts'
import { slugOf } from '../../domain/repository.ts'
import { endSync } from '../../store/installations/installation-syncs.ts'
import { findInstallation } from '../../store/installations/installations.ts'
import {
  type ManagedRepository,
  managedRepositories,
  markRepositoryDeleted,
} from '../../store/repositories/repositories.ts'
import { timeOf } from '../../store/sql/age.ts'
import { holdLock } from '../../store/sql/locks.ts'
import type { Database } from '../../store/tables.ts'
import { cancelJobs } from '../builds/cancel-jobs.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'
import { manageRepositories, releaseRepositories } from './manage-repositories.ts'
import { removeInstallation, storeInstallation } from './store-installation.ts'

/** The code host's data about an installation. */
interface Found {
  facts: InstallationFacts
  /** Undefined for a suspended installation, which cannot be queried and keeps its repositories. */
  repositories: readonly RepositoryFacts[] | undefined
  /** Ids of its former repositories that the code host no longer knows. */
  deleted: ReadonlySet<number>
  /** A time no later than the query. */
  at: Date
}

/**
 * Reads the repositories of an installation of the app, because events may be lost or incomplete. An
 * installation that no longer exists is stored as removed. False if no app is set up.
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
  await cancelJobs(
    ctx,
    released.filter((id) => found?.deleted.has(id)),
    unfinished,
    'the repository was deleted',
  )
  await cancelJobs(ctx, released, ['created'], 'the app can no longer access the repository')
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
  // With a selection, a repository may be missing only because it was deselected: it may still exist.
  if (facts.repository_selection === 'all') {
    const known = await findInstallation(db, { codehost_id })
    for (const gone of known ? await goneFrom(db, known.id, { repositories, at }) : []) {
      const ref = { codehost_id: gone.codehost_id, slug: slugOf(gone) }
      if (!(await isShown(installations, codehost_id, ref))) deleted.add(gone.id)
    }
  }
  return { facts, repositories, deleted, at }
}

/** Whether the code host still shows a repository. A repository with only the same name is a different one. */
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

/** An installation's stored repositories that are not among these, except ones that changed since `at`. */
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
