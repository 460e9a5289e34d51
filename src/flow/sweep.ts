import { dropBodies, waitingDeliveries } from '../store/deliveries.ts'
import { forgottenJobs, ownersWithWaitingJobs } from '../store/jobs.ts'
import { lostLeases } from '../store/leases.ts'
import { dueStreams } from '../store/outbox.ts'
import { undecidedRequests } from '../store/requests.ts'
import { leaseSeconds } from './claim-job.ts'
import type { Context } from './context.ts'
import { resetJob } from './reset-job.ts'

/** Seconds that a row may wait for its entry before the entry counts as lost. */
const lostAfterSeconds = 60

/**
 * Finds rows whose queue entry was lost between commit and enqueue, or with a process, and rings for
 * them again; takes jobs back from runners that are gone. A bell that rings twice does no harm.
 * `olderThan` is 0 when a service starts: whatever waits then, waits for it.
 */
export async function sweep(ctx: Context, olderThan = lostAfterSeconds): Promise<void> {
  const before = ago(ctx, olderThan)
  await takeBackLostJobs(ctx, await lostLeases(ctx.db, { before: ago(ctx, leaseSeconds) }))

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
  for (const job_id of await forgottenJobs(ctx.db, before)) {
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

/** What a runner of this id held in an earlier life is nobody's now. */
export async function takeBackOwnJobs(ctx: Context, runnerId: string): Promise<void> {
  await takeBackLostJobs(ctx, await lostLeases(ctx.db, { runner_id: runnerId }))
}

async function takeBackLostJobs(
  ctx: Context,
  leases: readonly { job_id: number; attempt: number }[],
): Promise<void> {
  for (const { job_id, attempt } of leases) {
    await resetJob(ctx, { job_id, attempt }, { why: 'its runner was lost', counts: true })
  }
}

/** Forgets what is kept only for a while. */
export async function tidy(ctx: Context): Promise<void> {
  await dropBodies(ctx.db, ago(ctx, ctx.config.bodyRetentionDays * 24 * 60 * 60))
}

function ago(ctx: Context, seconds: number): Date {
  return new Date(ctx.now().getTime() - seconds * 1000)
}
