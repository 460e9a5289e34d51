import type { Build } from '../../domain/build.ts'
import { canceledBecause } from '../../domain/job/cancellation.ts'
import type { Job } from '../../domain/job/job.ts'
import { type AfterLoss, afterLoss, type Loss, mostBlamedLosses } from '../../domain/job/loss.ts'
import { lastPart } from '../../domain/log/log.ts'
import { releaseJob, runningJob } from '../../store/jobs/jobs.ts'
import { endLeases } from '../../store/jobs/leases.ts'
import { insertParts } from '../../store/jobs/logs.ts'
import { redText } from '../../terminal/red-text.ts'
import { couldNotFetch, neverEnded, notRunForADay, wasLost } from '../../texts/log-endings.ts'
import { cancelInBuild } from '../builds/cancel-in-build.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import { endRun } from '../builds/end-run.ts'
import type { Context } from '../context.ts'
import { otherHead } from '../requests/cancel-unapproved.ts'
import { transact, type Transaction } from '../transact.ts'
import type { Run } from './claim-job.ts'

/**
 * Releases a job whose run did not finish, so that it waits for its next attempt, and keeps the lost attempt.
 * Or ends the job as errored, with a line in its log, if it is to blame, its commit cannot be fetched, or no
 * attempt succeeded for a day (D39).
 */
export async function resetJob(ctx: Context, run: Run, loss: Loss): Promise<void> {
  const after = await transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, run.job_id)
    const job = build && (await runningJob(tx.db, run))
    if (!job) return
    const after = afterLoss(job, loss)
    // Its approval ended with a new head of the pull request: it could go on, but must not start again.
    if (build.waits_for_approval) {
      await cancelInBuild(tx, build, [job.id], canceledBecause(otherHead))
    } else if (after.next === 'retry') await release(tx, job, loss, after)
    else await giveUp(tx, build, run, endings[after.why](loss.reason))
    return after
  })
  if (after) ctx.log.warn({ ...run, reason: loss.reason, ...after }, 'a run of a job was lost')
}

const endings = {
  culprit: (reason: string) => neverEnded(mostBlamedLosses, reason),
  refused: couldNotFetch,
  too_long: notRunForADay,
}

async function release(
  tx: Transaction,
  { id, attempt, owner_id, owner_type }: Job,
  { kind, reason }: Loss,
  { seconds, blamed }: Extract<AfterLoss, { next: 'retry' }>,
): Promise<void> {
  await endLeases(tx.db, [id])
  await closeLog(tx, { job_id: id, attempt }, wasLost(reason))
  await releaseJob(tx.db, id, { seconds, blamed, reason, counts: kind !== 'stopped' })
  tx.follow('jobs.schedule', { owner_id, owner_type }, seconds * 1000)
}

async function giveUp(tx: Transaction, build: Build, run: Run, content: string): Promise<void> {
  await closeLog(tx, run, content)
  const reason =
    content
      .split(/\r?\n/)
      .flatMap((line) => redText(line) ?? [])
      .at(-1) ?? null
  await endRun(tx, build, run, { state: 'errored', reason })
}

async function closeLog({ db }: Transaction, run: Run, content: string): Promise<void> {
  await insertParts(db, run, [{ number: lastPart, content, final: true }])
}
