import { waitingDeliveries, dropBodies } from '../../store/deliveries/deliveries.ts'
import { requestedSyncs } from '../../store/installations/installation-syncs.ts'
import { unclaimedJobs } from '../../store/jobs/jobs.ts'
import { setProblem } from '../../store/jobs/runners.ts'
import { ownersWithWaitingJobs } from '../../store/jobs/waiting-jobs.ts'
import { deleteNotifications } from '../../store/notifications/notifications.ts'
import { dueStreams } from '../../store/outbox/outbox.ts'
import { syncingUsers } from '../../store/people/user-syncs.ts'
import { dropFormCalls, dropIdempotentCalls } from '../../store/requests/idempotent-calls.ts'
import { undecidedRequests } from '../../store/requests/undecided-requests.ts'
import { dropSecretsOfDeleted } from '../../store/secrets/env-vars.ts'
import { allIds } from '../../store/sql/all-ids.ts'
import { claimTask } from '../../store/sql/locks.ts'
import { dropLoginStates } from '../../store/tokens/login-states.ts'
import { deleteEndedTokens } from '../../store/tokens/tokens.ts'
import type { Context } from '../context.ts'
import { mostInEntry, nameAlone } from '../deliveries/delivery-enqueuer.ts'
import { reclaimJobs } from '../jobs/reclaim-jobs.ts'
import { queueOfStream } from '../statuses/streams.ts'

/** Seconds between two sweeps. A row whose entry was lost waits for at most two sweeps (D40). */
export const sweepSeconds = 30

/** Seconds without a sweep that indicate that all processes may have been without the database. */
const outageSeconds = 2 * sweepSeconds

/**
 * Runs one of the repeated sweeps. The first sweep after an outage reclaims no jobs: their runners could not
 * renew their leases either, and do so now.
 */
export async function sweepAgain(ctx: Context, after: number | null): Promise<void> {
  if (after !== null && after < outageSeconds) await reclaimJobs(ctx)
  await dropFormCalls(ctx.db)
  await sweep(ctx)
}

/**
 * Finds rows whose queue entry was lost between commit and enqueue, or with a process, and enqueues
 * them again. A duplicate entry does no harm. `olderThan` is 0 when a service starts: any waiting row may
 * then have lost its entry.
 */
export async function sweep(ctx: Context, olderThan = sweepSeconds): Promise<void> {
  const deliveries = await allIds((page) => waitingDeliveries(ctx.db, olderThan, page))
  // Entries are named by fixed ranges of ids, so that an entry of the last sweep that still waits is not
  // added again although some of its rows were processed. A single delivery may wait for long, with pauses:
  // it does not use its range's name, because other deliveries of the range would wait for it.
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

/** Groups ids by ranges of `size` ids. */
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

const day = 24 * 60 * 60

/** Days that notifications are kept, for users to read or resend. */
const notificationDays = 30

/** Days that tokens are kept after their end, for investigations. */
const tokenDays = 30

/** Days within which a repository that was deleted by mistake can be restored with its secrets. */
const secretDays = 30

/** Deletes data whose retention has expired. */
export async function tidy({ db, config, now }: Context): Promise<void> {
  await dropLoginStates(db, now())
  await dropIdempotentCalls(db, day)
  await dropBodies(db, config.bodyRetentionDays * day)
  await deleteNotifications(db, notificationDays * day)
  await deleteEndedTokens(db, new Date(now().getTime() - tokenDays * day * 1000))
  await dropSecretsOfDeleted(db, secretDays * day)
}

/** A repeated task, which one process runs at a time. */
export interface Task {
  name: string
  /** Seconds between two runs. */
  every: number
  /** `after`: seconds since the last run, here or in another process; null for the first one. */
  run(ctx: Context, after: number | null): Promise<void>
}

/**
 * Runs a task, unless it was run within its interval, here or in another process (D40). Returns the number of
 * seconds after which it can be due again.
 */
export async function runIfDue(ctx: Context, { name, every, run }: Task): Promise<number> {
  const { claimed, after } = await claimTask(ctx.db, name, every)
  if (!claimed) return every - (after ?? 0)
  await run(ctx, after)
  return every
}

/** Stores why a runner currently takes no jobs; null if it takes jobs again. */
export function noteProblem({ db }: Context, runnerId: string, problem: string | null) {
  return setProblem(db, runnerId, problem)
}
