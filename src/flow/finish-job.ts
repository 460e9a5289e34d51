import type { FinalState, Job } from '../domain/job/job.ts'
import { endRun } from './build/end-run.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Stores the final state of a run of a job, and with which version it ran if not the one asked for,
 * derives the state of its build, and notifies the code host.
 * Undefined when the job has finished already or belongs to a later run.
 */
export async function finishJob(
  ctx: Context,
  run: Run,
  state: FinalState,
  found_version?: string,
): Promise<Job | undefined> {
  const job = await transact(ctx, async (tx) => {
    // Without the lock, two last jobs finishing at once could each see the other as running.
    const build = await lockBuildOfJob(tx.db, run.job_id)
    return build && endRun(tx, build, run, { state, found_version: found_version ?? null })
  })
  if (job) ctx.log.info({ job_id: job.id, state }, 'job ended')
  return job
}
