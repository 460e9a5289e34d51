import { type Insertable, sql } from 'kysely'
import type { PlacedRunner } from '../../domain/job/placement.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import { runPrepared } from '../sql/prepared-statements.ts'
import type { Database, Runners, Tables } from '../tables.ts'

type NewRunner = Omit<
  Insertable<Tables['runners']>,
  'started_at' | 'heartbeat_at' | 'stopped_at' | 'problem'
>

/** Stores a runner that has started, or restarted. */
export async function registerRunner(db: Database, runner: NewRunner): Promise<void> {
  const row = { ...runner, started_at: databaseNow, heartbeat_at: databaseNow }
  await db
    .insertInto('runners')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ ...row, stopped_at: null, problem: null }),
    )
    .execute()
}

/** Seconds after its last heartbeat during which a runner counts as alive. */
const aliveSeconds = 60

/** The runners that are alive, with the properties that decide which jobs they run, and any problem. */
export function liveRunners(
  db: Database,
): Promise<(PlacedRunner & { id: string; problem: string | null })[]> {
  const live = db
    .selectFrom('runners')
    .select(['id', 'isolation', 'os', 'arch', 'queues', 'problem', 'without_approval'])
    .where('stopped_at', 'is', null)
    .where('heartbeat_at', '>=', secondsAgo(aliveSeconds))
  return runPrepared(db, live)
}

/** A runner as administrators see it. */
export interface ShownRunner extends Runners {
  alive: boolean
  /** How many jobs the runner has. */
  jobs: number
}

/** All runners stored, by their last heartbeat, newest first. */
export function runnersPage(db: Database, page: Page): Promise<Paged<ShownRunner>> {
  const query = db
    .selectFrom('runners')
    .selectAll()
    .select([
      sql<boolean>`stopped_at is null and heartbeat_at >= ${secondsAgo(aliveSeconds)}`.as('alive'),
      sql<number>`(select count(*)::int from leases where runner_id = runners.id)`.as('jobs'),
    ])
    .orderBy('heartbeat_at', 'desc')
  return readPage(db, query, page, {}, sql.ref('runners.id'))
}

/** Stores that a runner is alive. */
export async function beat(db: Database, id: string): Promise<void> {
  await db.updateTable('runners').set({ heartbeat_at: databaseNow }).where('id', '=', id).execute()
}

/** Stores whether a runner takes jobs of forks that no one has approved. */
export async function setWithoutApproval(
  db: Database,
  id: string,
  without_approval: boolean,
): Promise<void> {
  await db.updateTable('runners').set({ without_approval }).where('id', '=', id).execute()
}

/** Stores that a runner has stopped. */
export async function markStopped(db: Database, id: string): Promise<void> {
  await db.updateTable('runners').set({ stopped_at: databaseNow }).where('id', '=', id).execute()
}

/** Stores why a runner takes no jobs; null if it takes jobs. */
export async function setProblem(db: Database, id: string, problem: string | null): Promise<void> {
  await db.updateTable('runners').set({ problem }).where('id', '=', id).execute()
}
