import { type FinalState, type Job, unfinished } from '../domain/job.ts'
import { moveJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import { deriveBuild } from './build/derive-build.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Stores the final state of a run of a job, derives that of its build, and notifies the code host.
 * Undefined when the job has finished already or belongs to a later run.
 */
export async function finishJob(
  ctx: Context,
  run: Run,
  state: FinalState,
): Promise<Job | undefined> {
  const job = await transact(ctx, async (tx) => {
    // Without the lock, two last jobs finishing at once could each see the other as running.
    const build = await lockBuildOfJob(tx.db, run.job_id)
    if (!build) return
    const ended = await moveJob(tx.db, { id: run.job_id, attempt: run.attempt }, unfinished, {
      state,
      finished_at: tx.now(),
    })
    if (!ended) return
    await endLeases(tx.db, [ended.id])
    await deriveBuild(tx, build)
    tx.follow('jobs.schedule', { owner_id: ended.owner_id, owner_type: ended.owner_type })
    return ended
  })
  if (job) ctx.log.info({ job_id: job.id, state }, 'job ended')
  return job
}
