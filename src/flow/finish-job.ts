import { type FinalState, type Job, unfinished } from '../domain/job.ts'
import { moveJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { deriveBuild } from './build/derive-build.ts'
import { lockBuildOfJob } from './build/lock-build.ts'

/**
 * Records how a run of a job ended and what that makes of its build, and has the code host told.
 * Undefined when the job has ended already or belongs to a later run.
 */
export async function finishJob(
  ctx: Context,
  run: Run,
  state: FinalState,
): Promise<Job | undefined> {
  const ended = await ctx.db.transaction().execute(async (tx) => {
    // Without the lock, two last jobs finishing at once could each take the other for running.
    const build = await lockBuildOfJob(tx, run.job_id)
    if (!build) return
    const job = await moveJob(tx, { id: run.job_id, attempt: run.attempt }, unfinished, {
      state,
      finished_at: ctx.now(),
    })
    if (!job) return
    await endLeases(tx, [job.id])
    return { job, stream: await deriveBuild(ctx, tx, build) }
  })
  if (!ended) return

  const { job, stream } = ended
  ctx.log.info({ job_id: job.id, state }, 'job ended')
  await ctx.enqueue('jobs.schedule', { owner_id: job.owner_id, owner_type: job.owner_type })
  if (stream) await ctx.enqueue('outbox.publish', { stream })
  return job
}
