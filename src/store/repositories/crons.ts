import { type Insertable, sql } from 'kysely'
import type { Cron } from '../../domain/cron.ts'
import { refOf } from '../../domain/event.ts'
import type { Repository, Seen } from '../../domain/repository.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { branchVisibleIn } from '../sql/visibility.ts'
import type { Database, Tables } from '../tables.ts'
import type { KnownBranch } from './branches.ts'

/** A cron with the branch that it builds. */
export type CronOfBranch = Cron & { branch: KnownBranch }

const branchInRow = sql<KnownBranch>`to_jsonb(branches)`.as('branch')

function cronsWithBranch(db: Database) {
  return db
    .selectFrom('crons')
    .innerJoin('branches', 'branches.id', 'crons.branch_id')
    .selectAll('crons')
    .select(branchInRow)
}

/**
 * One page of the crons of a repository whose branches its viewer can see, in the order in which they
 * were made.
 */
export function cronsOfRepository(
  db: Database,
  repository: Seen<Repository>,
  page: Page,
): Promise<Paged<CronOfBranch>> {
  const query = cronsWithBranch(db)
    .where('crons.repository_id', '=', repository.id)
    .where(branchVisibleIn(repository))
  return readPage(db, query, { ...page, sort: [] }, {}, sql.ref('crons.id'))
}

/** Stores a cron, replacing the cron that its branch has. */
export async function putCron(db: Database, cron: Insertable<Tables['crons']>): Promise<Cron> {
  await db.deleteFrom('crons').where('branch_id', '=', cron.branch_id).execute()
  return db.insertInto('crons').values(cron).returningAll().executeTakeFirstOrThrow()
}

/** Deletes and returns the cron; undefined if it was gone already. */
export function deleteCron(db: Database, id: number): Promise<Cron | undefined> {
  return db.deleteFrom('crons').where('id', '=', id).returningAll().executeTakeFirst()
}

/** Crons whose run is due, the longest waiting first. */
export async function dueCrons(db: Database): Promise<number[]> {
  const rows = await db
    .selectFrom('crons')
    .select('id')
    .where('active', '=', true)
    .where('next_run', '<=', databaseNow)
    .orderBy('next_run')
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}

export interface DueCron {
  cron: Cron
  repository: Repository
  branch: KnownBranch
  /** Whether another build of the branch was started within the last day. */
  has_recent_build: boolean
  /** Whether the run would be the branch's second request by a cron within less than an hour. */
  is_early: boolean
  /** The time by the database's clock. */
  now: Date
}

const recent = 24 * 60 * 60
/** A little less than an hour, because runs may be late. */
const shortest = 50 * 60

/** Locks a cron whose run is still due, unless another process has locked it. */
export async function lockDueCron(db: Database, id: number): Promise<DueCron | undefined> {
  const cron = await db
    .selectFrom('crons')
    .selectAll()
    .select(sql<Date>`now()`.as('now'))
    .where('id', '=', id)
    .where('active', '=', true)
    .where('next_run', '<=', databaseNow)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!cron) return
  const { now, ...own } = cron
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', cron.repository_id)
    .executeTakeFirstOrThrow()
  const branch = await db
    .selectFrom('branches')
    .selectAll()
    .select([
      sql<boolean>`exists (
        select from builds where builds.branch_id = branches.id and event_type in ('push', 'api')
          and started_at > ${secondsAgo(recent)})`.as('has_recent_build'),
      sql<boolean>`exists (
        select from requests where requests.repository_id = branches.repository_id
          and event_type = 'cron' and ref = ${refOf('branch', '')} || branches.name
          and created_at > ${secondsAgo(shortest)})`.as('is_early'),
    ])
    .where('id', '=', cron.branch_id)
    .executeTakeFirstOrThrow()
  const { has_recent_build, is_early } = branch
  return { cron: own, repository, branch, has_recent_build, is_early, now }
}

/** Plans the next run; without `ran`, the current run was left out. */
export async function planCron(
  db: Database,
  id: number,
  { next_run, ran }: { next_run: Date; ran: boolean },
): Promise<void> {
  await db
    .updateTable('crons')
    .set({ next_run, ...(ran ? { last_run: databaseNow } : {}) })
    .where('id', '=', id)
    .execute()
}

/** Deactivates a cron. */
export async function endCron(db: Database, id: number, inactive_reason: string): Promise<void> {
  await db
    .updateTable('crons')
    .set({ active: false, inactive_reason })
    .where('id', '=', id)
    .execute()
}
