import type { Build } from '../../domain/build.ts'
import { lockBuild } from '../../store/builds.ts'
import { findJob } from '../../store/jobs.ts'
import type { Database } from '../../store/tables.ts'

/** Locks the build of a job; to be called before any of its rows is changed (ST-01). */
export async function lockBuildOfJob(db: Database, jobId: number): Promise<Build | undefined> {
  const job = await findJob(db, jobId)
  return job && lockBuild(db, job.build_id)
}
