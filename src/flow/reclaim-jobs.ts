import { lostLeases } from '../store/leases.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { resetJob } from './reset-job.ts'

/** Takes jobs back from runners that are gone. */
export async function reclaimJobs(ctx: Context, lost: readonly Run[]): Promise<void> {
  for (const { job_id, attempt } of lost) {
    await resetJob(ctx, { job_id, attempt }, { why: 'its runner was lost', counts: true })
  }
}

/** Takes back what a runner of this id held before it was started again. */
export async function reclaimOwnJobs(ctx: Context, runnerId: string): Promise<void> {
  await reclaimJobs(ctx, await lostLeases(ctx.db, { runner_id: runnerId }))
}
