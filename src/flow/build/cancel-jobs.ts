import type { JobState } from '../../domain/job/job.ts'
import { jobsInState } from '../../store/jobs.ts'
import { cancelJob } from '../cancel-job.ts'
import type { Context } from '../context.ts'

/** Cancels the jobs of these repositories that are in one of the states. */
export async function cancelJobs(
  ctx: Context,
  repositoryIds: readonly number[],
  states: readonly JobState[],
): Promise<void> {
  for (const id of await jobsInState(ctx.db, repositoryIds, states)) await cancelJob(ctx, null, id)
}
