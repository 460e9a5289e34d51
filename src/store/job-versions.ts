import type { JobVersion } from '../domain/job/job.ts'
import type { Database } from './tables.ts'

/** What a job was before each of its restarts, oldest first. */
export function versionsOfJob(db: Database, jobId: number): Promise<JobVersion[]> {
  return db
    .selectFrom('job_versions')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('number')
    .execute()
}

/** What a job was in an earlier attempt, before it was restarted. */
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
