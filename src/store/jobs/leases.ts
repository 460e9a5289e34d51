import { type RawBuilder, sql } from 'kysely'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { Database, Lease } from '../tables.ts'

/** False when the lease is gone: the job was canceled, released, or claimed by another runner. */
export async function renewLease(
  db: Database,
  { job_id, attempt }: Pick<Lease, 'job_id' | 'attempt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('leases')
    .set({ renewed_at: databaseNow })
    .where('job_id', '=', job_id)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function endLeases(db: Database, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return
  await db.deleteFrom('leases').where('job_id', 'in', jobIds).execute()
}

/**
 * Ends the leases of canceled jobs. Their runners notice that when they next renew them: until a run has ended, or
 * `seconds` have passed, its job cannot be claimed again.
 */
export async function revokeLeases(
  db: Database,
  jobIds: readonly number[],
  seconds: number,
): Promise<void> {
  if (jobIds.length === 0) return
  await sql`
    with revoked as (
      delete from leases where job_id = any(${jobIds}::bigint[])
      returning job_id, attempt, runner_id
    )
    insert into ending_runs (job_id, attempt, runner_id, ended_by)
    select job_id, attempt, runner_id, ${databaseNow} + make_interval(secs => ${seconds}) from revoked
    on conflict (job_id) do update set attempt = excluded.attempt, runner_id = excluded.runner_id,
      ended_by = excluded.ended_by
  `.execute(db)
}

/** Whether a run of a job of this id, which was canceled, may still run. */
export function stillEnds(jobId: RawBuilder<number>): RawBuilder<boolean> {
  return sql`exists (
    select from ending_runs where ending_runs.job_id = ${jobId} and ended_by > ${databaseNow}
  )`
}

/** Stores that a canceled run has ended. */
export async function endRevoked(
  db: Database,
  { job_id, attempt }: Pick<Lease, 'job_id' | 'attempt'>,
): Promise<void> {
  await db
    .deleteFrom('ending_runs')
    .where('job_id', '=', job_id)
    .where('attempt', '=', attempt)
    .execute()
}

/** Stores that all canceled runs of a runner have ended. */
export async function endAllRevoked(db: Database, runnerId: string): Promise<void> {
  await db.deleteFrom('ending_runs').where('runner_id', '=', runnerId).execute()
}

/**
 * The leases that were not renewed for `seconds`, and leases of the same runners that run out at most
 * `slack` seconds later: a runner renews its leases one after the other, and loses all at once.
 */
export function lostLeases(db: Database, seconds: number, slack: number): Promise<Lease[]> {
  const runners = db
    .selectFrom('leases')
    .select('runner_id')
    .where('renewed_at', '<', secondsAgo(seconds))
  return db
    .selectFrom('leases')
    .selectAll()
    .where('renewed_at', '<', secondsAgo(seconds - slack))
    .where('runner_id', 'in', runners)
    .execute()
}

/** The leases that a runner holds. */
export function leasesOf(db: Database, runnerId: string): Promise<Lease[]> {
  return db.selectFrom('leases').selectAll().where('runner_id', '=', runnerId).execute()
}

/** The ids of the runners that hold these jobs, by job. */
export async function runnersOfJobs(
  db: Database,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('leases')
    .select(['job_id', 'runner_id'])
    .where('job_id', 'in', jobIds)
    .execute()
  return new Map(rows.map(({ job_id, runner_id }) => [job_id, runner_id]))
}
