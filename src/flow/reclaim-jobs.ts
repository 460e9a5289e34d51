import { lostLeases } from '../store/leases.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { resetJob } from './reset-job.ts'

/** Releases the jobs of lost runners. */
export async function reclaimJobs(ctx: Context, lost: readonly Run[]): Promise<void> {
  for (const { job_id, attempt } of lost) {
    await resetJob(
      ctx,
      { job_id, attempt },
      { reason: 'its runner was lost', countsAsFailure: true },
    )
  }
}

/** Releases the jobs that a runner of this id held before its restart. */
export async function reclaimOwnJobs(ctx: Context, runnerId: string): Promise<void> {
  await reclaimJobs(ctx, await lostLeases(ctx.db, { runner_id: runnerId }))
}
