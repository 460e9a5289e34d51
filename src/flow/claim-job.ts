import type { Job } from '../domain/job/job.ts'
import { receiveJob } from '../store/jobs.ts'
import type { Context } from './context.ts'

/** One run of a job; everything that the run reports carries it. */
export interface Run {
  job_id: number
  attempt: number
}

/** Seconds after which a claim that was not renewed is lost (RN-30). */
export const leaseSeconds = 60

/**
 * Claims a queued job for a runner and begins its next attempt, with an empty log. Undefined when it
 * is no longer queued: canceled, or claimed by another runner.
 */
export function claimJob(
  { db }: Pick<Context, 'db'>,
  jobId: number,
  runnerId: string,
): Promise<Job | undefined> {
  return receiveJob(db, jobId, runnerId)
}
