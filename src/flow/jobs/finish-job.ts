import type { FinalState, Job } from '../../domain/job/job.ts'
import { couldNotFetch, unfetched } from '../../domain/log/log-endings.ts'
import { lastPart } from '../../domain/log/log.ts'
import { insertParts } from '../../store/jobs/logs.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import { endRun, type Found } from '../builds/end-run.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import type { Run } from './claim-job.ts'

/**
 * Stores the final state of a job's run with the facts that it reported, derives the state of its build, and
 * notifies the code host. Undefined if the job has already finished or belongs to a later run.
 */
export async function finishJob(
  ctx: Context,
  run: Run,
  state: FinalState,
  { found_version = null, image = null, reason = null }: Found = {},
): Promise<Job | undefined> {
  const job = await transact(ctx, async (tx) => {
    // Without the lock, two last jobs finishing at once could each see the other as running.
    const build = await lockBuildOfJob(tx.db, run.job_id)
    return (
      build &&
      endRun(tx, build, run, {
        state,
        found_version,
        image,
        reason: state === 'errored' ? reason : null,
      })
    )
  })
  if (job) ctx.log.info({ job_id: job.id, state }, 'job ended')
  return job
}

/** Ends a run whose commit can never be fetched from the code host. */
export async function failUnfetchedJob(ctx: Context, run: Run, reason: string): Promise<void> {
  const content = couldNotFetch(reason)
  await insertParts(ctx.db, run, [{ number: lastPart, content, final: true }])
  await finishJob(ctx, run, 'errored', { reason: unfetched(reason) })
}
