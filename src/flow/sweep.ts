import { waitingDeliveries } from '../store/deliveries.ts'
import { requestedSyncs } from '../store/installation-syncs.ts'
import { unclaimedJobs } from '../store/jobs.ts'
import { dueStreams } from '../store/outbox.ts'
import { allIds } from '../store/all-ids.ts'
import { undecidedRequests } from '../store/requests.ts'
import { syncingUsers } from '../store/user-syncs.ts'
import { ownersWithWaitingJobs } from '../store/waiting-jobs.ts'
import type { Context } from './context.ts'
import { mostInEntry, nameAlone } from './delivery-enqueuer.ts'
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
  const deliveries = await allIds((page) => waitingDeliveries(ctx.db, olderThan, page))
  // By ranges of ids that stay the same while some of them are processed, so that an entry of the last
  // sweep that waits still is not added again. One alone may wait for long, with pauses: not under the
  // name of its range, in which others would wait for it.
  for (const [range, delivery_ids] of groupsOf(deliveries, mostInEntry)) {
    const once = delivery_ids.length > 1 ? `sweep-${range}` : nameAlone(delivery_ids[0] ?? 0)
    await ctx.enqueue('delivery.process', { delivery_ids }, { once })
  }
  for (const installation of await requestedSyncs(ctx.db, olderThan)) {
    await ctx.enqueue('installation.sync', { installation }, { once: `sync-${installation}` })
  }
  for (const user_id of await syncingUsers(ctx.db, olderThan)) {
    await ctx.enqueue('user.sync', { user_id }, { once: `user-sync-${user_id}` })
  }
  const requests = await allIds((page) => undecidedRequests(ctx.db, olderThan, page))
  for (const request_id of requests) {
    await ctx.enqueue('request.accept', { request_id }, { once: `sweep-${request_id}` })
  }
  for (const owner of await ownersWithWaitingJobs(ctx.db)) {
    const once = `sweep-${owner.owner_type}-${owner.owner_id}`
    await ctx.enqueue('jobs.schedule', owner, { once })
  }
  for (const job_id of await allIds((page) => unclaimedJobs(ctx.db, olderThan, page))) {
    await ctx.enqueue('job.run', { job_id }, { once: `sweep-${job_id}` })
  }
  for (const stream of await dueStreams(ctx.db, olderThan)) {
    const once = `sweep-${stream.replaceAll(':', '-')}`
    await ctx.enqueue(queueOfStream(stream), { stream }, { once })
  }
}

/** Ids by the range of so many that they are in. */
function groupsOf(ids: readonly number[], size: number): Map<number, number[]> {
  const groups = new Map<number, number[]>()
  for (const id of ids) {
    const range = Math.floor(id / size)
    const group = groups.get(range)
    if (group) group.push(id)
    else groups.set(range, [id])
  }
  return groups
}
