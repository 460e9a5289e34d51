import { waitingDeliveries } from '../store/deliveries.ts'
import { requestedSyncs } from '../store/installation-syncs.ts'
import { ownersWithWaitingJobs, unclaimedJobs } from '../store/jobs.ts'
import { dueStreams } from '../store/outbox.ts'
import { undecidedRequests } from '../store/requests.ts'
import type { Context } from './context.ts'
import { reclaimJobs } from './reclaim-jobs.ts'

/** Seconds between two sweeps. A row whose entry was lost waits for two of them at most (D40). */
export const sweepSeconds = 30

/**
 * Finds rows whose queue entry was lost between commit and enqueue, or with a process, and enqueues
 * them again; reclaims jobs from lost runners. A duplicate entry does no harm. `olderThan` is 0 when a
 * service starts: all that waits then may have lost its entry.
 */
export async function sweep(ctx: Context, olderThan = sweepSeconds): Promise<void> {
  await reclaimJobs(ctx)

  for (const delivery_id of await waitingDeliveries(ctx.db, olderThan)) {
    await ctx.enqueue('delivery.process', { delivery_id }, { once: `sweep-${delivery_id}` })
  }
  for (const installation of await requestedSyncs(ctx.db, olderThan)) {
    await ctx.enqueue('installation.sync', { installation }, { once: `sync-${installation}` })
  }
  for (const request_id of await undecidedRequests(ctx.db, olderThan)) {
    await ctx.enqueue('request.accept', { request_id }, { once: `sweep-${request_id}` })
  }
  for (const owner of await ownersWithWaitingJobs(ctx.db)) {
    const once = `sweep-${owner.owner_type}-${owner.owner_id}`
    await ctx.enqueue('jobs.schedule', owner, { once })
  }
  for (const job_id of await unclaimedJobs(ctx.db, olderThan)) {
    await ctx.enqueue('job.run', { job_id }, { once: `sweep-${job_id}` })
  }
  for (const stream of await dueStreams(ctx.db, olderThan)) {
    const once = `sweep-${stream.replaceAll(':', '-')}`
    await ctx.enqueue('outbox.publish', { stream }, { once })
  }
}
