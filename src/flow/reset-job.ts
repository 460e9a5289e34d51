import { type Job, maximumResets } from '../domain/job.ts'
import { neverEnded } from '../domain/log-endings.ts'
import { lastPart } from '../domain/log.ts'
import { releaseJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import { insertParts } from '../store/logs.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { finishJob } from './finish-job.ts'
import { transact } from './transact.ts'

export interface ResetReason {
  /** A text for users. */
  reason: string
  /** False for an orderly stop of the runner. */
  countsAsFailure: boolean
}

/**
 * Releases a job whose run did not finish, so that it waits for its next attempt. After a few failures
 * the job is errored instead, with a line in its log (ST-10).
 */
export async function resetJob(
  ctx: Context,
  run: Run,
  { reason, countsAsFailure }: ResetReason,
): Promise<void> {
  const job = await transact(ctx, async (tx) => {
    if (!(await lockBuildOfJob(tx.db, run.job_id))) return
    const reset = await releaseJob(tx.db, run, countsAsFailure)
    if (!reset) return
    await endLeases(tx.db, [reset.id])
    if (canRunAgain(reset)) {
      tx.follow('jobs.schedule', { owner_id: reset.owner_id, owner_type: reset.owner_type })
    }
    return reset
  })
  if (!job) return

  ctx.log.warn({ job_id: job.id, attempt: job.attempt, reason }, 'job was released')
  if (!canRunAgain(job)) await giveUp(ctx, job, reason)
}

function canRunAgain({ resets }: Job): boolean {
  return resets < maximumResets
}

async function giveUp(ctx: Context, job: Job, reason: string): Promise<void> {
  const run = { job_id: job.id, attempt: job.attempt }
  const content = neverEnded(job.resets, reason)
  await insertParts(ctx.db, run, [{ number: lastPart, content, final: true }])
  await finishJob(ctx, run, 'errored')
}
