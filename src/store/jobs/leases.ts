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
