import { batchesOf } from '../store/batches.ts'
import { waitingDeliveries } from '../store/deliveries.ts'
import { requestedSyncs } from '../store/installation-syncs.ts'
import { unclaimedJobs } from '../store/jobs.ts'
import { dueStreams } from '../store/outbox.ts'
import { undecidedRequests } from '../store/requests.ts'
import { syncingUsers } from '../store/user-syncs.ts'
import { ownersWithWaitingJobs } from '../store/waiting-jobs.ts'
import type { Context } from './context.ts'
import { mostInEntry } from './delivery-enqueuer.ts'
import { reclaimJobs } from './reclaim-jobs.ts'
import { queueOfStream } from './report/streams.ts'

/** Seconds between two sweeps. A row whose entry was lost waits for two of them at most (D40). */
export const sweepSeconds = 30

/** Seconds without a sweep after which all processes may have been without the database. */
const outageSeconds = 2 * sweepSeconds

/**
 * One of the repeated sweeps. The first one after an outage takes no jobs back: their runners could
 * not renew their leases either, and do so now.
 */
export async function sweepAgain(ctx: Context, after: number | null): Promise<void> {
  if (after !== null && after < outageSeconds) await reclaimJobs(ctx)
  await sweep(ctx)
}

/**
 * Finds rows whose queue entry was lost between commit and enqueue, or with a process, and enqueues
 * them again. A duplicate entry does no harm. `olderThan` is 0 when a service starts: all that waits
 * then may have lost its entry.
 */
export async function sweep(ctx: Context, olderThan = sweepSeconds): Promise<void> {
  for (const delivery_ids of batchesOf(await waitingDeliveries(ctx.db, olderThan), mostInEntry)) {
    const once = `sweep-${delivery_ids[0]}-${delivery_ids.at(-1)}`
    await ctx.enqueue('delivery.process', { delivery_ids }, { once })
  }
  for (const installation of await requestedSyncs(ctx.db, olderThan)) {
    await ctx.enqueue('installation.sync', { installation }, { once: `sync-${installation}` })
  }
  for (const user_id of await syncingUsers(ctx.db, olderThan)) {
    await ctx.enqueue('user.sync', { user_id }, { once: `user-sync-${user_id}` })
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
    await ctx.enqueue(queueOfStream(stream), { stream }, { once })
  }
}
