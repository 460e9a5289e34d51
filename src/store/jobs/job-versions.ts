import { sql } from 'kysely'
import type { JobVersion } from '../../domain/job/job.ts'
import type { Database } from '../tables.ts'

/**
 * Stores the current attempts of these jobs as versions, whose logs are kept. `lost` is why the attempts
 * ended without a result.
 */
export async function insertVersions(
  db: Database,
  ids: readonly number[],
  lost: string | null = null,
): Promise<void> {
  await sql`
    insert into job_versions (job_id, number, state, created_at, queued_at, received_at, started_at,
      finished_at, restarted_at, cancel_reason, lost_reason)
    select id, attempt, case when ${lost}::text is null then state else 'errored' end, created_at,
      queued_at, received_at, started_at,
      case when ${lost}::text is null then finished_at else now() end, restarted_at,
      cancel_reason, ${lost}::text
    from jobs where id = any(${ids}::bigint[])
  `.execute(db)
}

/** The earlier attempts of a job, oldest first. */
export function versionsOfJob(db: Database, jobId: number): Promise<JobVersion[]> {
  return db
    .selectFrom('job_versions')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute()
}

/** The earlier attempts of a build's jobs, the newest first. */
export function versionsOfBuild(
  db: Database,
  buildId: number,
  most: number,
): Promise<JobVersion[]> {
  return db
    .selectFrom('job_versions')
    .innerJoin('jobs', 'jobs.id', 'job_versions.job_id')
    .selectAll('job_versions')
    .where('jobs.build_id', '=', buildId)
    .orderBy('job_versions.finished_at', (order) => order.desc().nullsLast())
    .orderBy('job_versions.job_id')
    .limit(most)
    .execute()
}

/** An earlier attempt of a job. */
export function findVersion(
  db: Database,
  jobId: number,
  attempt: number,
): Promise<JobVersion | undefined> {
  return db
    .selectFrom('job_versions')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('number', '=', attempt)
    .executeTakeFirst()
}
