import { waitingDeliveries } from '../store/deliveries.ts'
import { ownersWithWaitingJobs, unclaimedJobs } from '../store/jobs.ts'
import { lostLeases } from '../store/leases.ts'
import { dueStreams } from '../store/outbox.ts'
import { undecidedRequests } from '../store/requests.ts'
import { leaseSeconds } from './claim-job.ts'
import type { Context } from './context.ts'
import { reclaimJobs } from './reclaim-jobs.ts'

/** Seconds after which the queue entry of a waiting row counts as lost. */
const lostAfterSeconds = 60

/**
 * Finds rows whose queue entry was lost between commit and enqueue, or with a process, and enqueues
 * them again; reclaims jobs from lost runners. A duplicate entry does no harm. `olderThan` is 0 when a
 * service starts: all that waits then may have lost its entry.
 */
export async function sweep(ctx: Context, olderThan = lostAfterSeconds): Promise<void> {
  const before = ago(ctx, olderThan)
  await reclaimJobs(ctx, await lostLeases(ctx.db, { before: ago(ctx, leaseSeconds) }))

  for (const delivery_id of await waitingDeliveries(ctx.db, before)) {
    await ctx.enqueue('delivery.process', { delivery_id }, { once: `sweep-${delivery_id}` })
  }
  for (const request_id of await undecidedRequests(ctx.db, before)) {
    await ctx.enqueue('request.accept', { request_id }, { once: `sweep-${request_id}` })
  }
  for (const owner of await ownersWithWaitingJobs(ctx.db)) {
    const once = `sweep-${owner.owner_type}-${owner.owner_id}`
    await ctx.enqueue('jobs.schedule', owner, { once })
  }
  for (const job_id of await unclaimedJobs(ctx.db, before)) {
    await ctx.enqueue('job.run', { job_id }, { once: `sweep-${job_id}` })
  }
  for (const stream of await dueStreams(ctx.db, { before, now: ctx.now() })) {
    await ctx.enqueue(
      'outbox.publish',
      { stream },
      { once: `sweep-${stream.replaceAll(':', '-')}` },
    )
  }
}

function ago(ctx: Context, seconds: number): Date {
  return new Date(ctx.now().getTime() - seconds * 1000)
}
