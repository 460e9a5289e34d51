import { endAllRevoked, leasesOf, lostLeases } from '../../store/jobs/leases.ts'
import type { Lease } from '../../store/tables.ts'
import type { Context } from '../context.ts'
import { leaseSeconds } from './claim-job.ts'
import { resetJob } from './reset-job.ts'

/** Longer than the time between two renewals of one runner's leases, even if some have failed. */
const slackSeconds = 20

/** Releases the jobs of lost runners. */
export async function reclaimJobs(ctx: Context): Promise<void> {
  const lost = await lostLeases(ctx.db, leaseSeconds, slackSeconds)
  const counts = new Map<string, number>()
  for (const runnerId of new Set(lost.map(({ runner_id }) => runner_id))) {
    // All leases that the runner held are lost, although some may have been renewed seconds later.
    counts.set(runnerId, (await leasesOf(ctx.db, runnerId)).length)
  }
  await reclaim(ctx, lost, (runnerId) => counts.get(runnerId) ?? 1)
}

/** Releases the jobs that a runner of this id held before its restart. */
export async function reclaimOwnJobs(ctx: Context, runnerId: string): Promise<void> {
  const lost = await leasesOf(ctx.db, runnerId)
  await endAllRevoked(ctx.db, runnerId)
  await reclaim(ctx, lost, () => lost.length)
}

async function reclaim(
  ctx: Context,
  lost: readonly Lease[],
  heldBy: (runnerId: string) => number,
): Promise<void> {
  for (const { job_id, attempt, runner_id } of lost) {
    const others = heldBy(runner_id) - 1
    await resetJob(
      ctx,
      { job_id, attempt },
      { kind: 'gone', reason: 'its runner was lost', others },
    )
  }
}
