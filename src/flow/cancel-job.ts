import { type Job, unfinished } from '../domain/job.ts'
import { moveJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import type { Context } from './context.ts'
import { deriveBuild } from './build/derive-build.ts'
import { lockBuildOfJob } from './build/lock-build.ts'

/**
 * Cancels a job at once; its runner learns of it by finding its claim gone (ST-12). Undefined when
 * the job has ended already.
 */
export async function cancelJob(ctx: Context, jobId: number): Promise<Job | undefined> {
  const canceled = await ctx.db.transaction().execute(async (tx) => {
    const build = await lockBuildOfJob(tx, jobId)
    if (!build) return
    const now = ctx.now()
    const job = await moveJob(tx, { id: jobId }, unfinished, {
      state: 'canceled',
      canceled_at: now,
      finished_at: now,
    })
    if (!job) return
    await endLeases(tx, [job.id])
    return { job, stream: await deriveBuild(ctx, tx, build) }
  })
  if (!canceled) return

  const { job, stream } = canceled
  await ctx.enqueue('jobs.schedule', { owner_id: job.owner_id, owner_type: job.owner_type })
  if (stream) await ctx.enqueue('outbox.publish', { stream })
  return job
}
