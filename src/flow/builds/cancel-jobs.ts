import { canceledBecause } from '../../domain/job/cancellation.ts'
import type { JobState } from '../../domain/job/job.ts'
import { jobsInState } from '../../store/jobs/jobs.ts'
import type { Context } from '../context.ts'
import { cancelJob } from '../jobs/cancel-job.ts'

/** Cancels the jobs of these repositories that are in one of these states, with `why` as the reason. */
export async function cancelJobs(
  ctx: Context,
  repositoryIds: readonly number[],
  states: readonly JobState[],
  why: string,
): Promise<void> {
  const by = canceledBecause(why)
  for (const id of await jobsInState(ctx.db, repositoryIds, states)) await cancelJob(ctx, by, id)
}
