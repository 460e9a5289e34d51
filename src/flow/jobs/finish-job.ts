import type { FinalState, Job } from '../../domain/job/job.ts'
import { lastPart } from '../../domain/log/log.ts'
import { insertRun } from '../../store/jobs/job-runs.ts'
import { insertParts } from '../../store/jobs/logs.ts'
import { couldNotFetch, unfetched } from '../../texts/log-endings.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import { endRun, type Found } from '../builds/end-run.ts'
import type { Context } from '../context.ts'
import type { ExaminedRun } from '../failures/examine-run.ts'
import { transact } from '../transact.ts'
import type { Run } from './claim-job.ts'

/** Facts that a run has reported, and the findings in its log if it was examined. */
type Ended = Found & { examined?: ExaminedRun | undefined }

/**
 * Stores the final state of a job's run with the facts that it reported, derives the state of its build, and
 * notifies the code host. Undefined if the job has already finished or belongs to a later run.
 */
export async function finishJob(
  ctx: Context,
  run: Run,
  state: FinalState,
  { found_version = null, image = null, reason = null, examined }: Ended = {},
): Promise<Job | undefined> {
  const job = await transact(ctx, async (tx) => {
    // Without the lock, two last jobs finishing at once could each see the other as running.
    const build = await lockBuildOfJob(tx.db, run.job_id)
    if (!build) return undefined
    const ended = await endRun(tx, build, run, {
      state,
      found_version,
      image,
      reason: state === 'errored' ? reason : null,
    })
    if (ended && examined) await insertRun(tx.db, examined.run, examined.shapes)
    return ended
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
