import type { Build } from '../domain/build.ts'
import type { Job } from '../domain/job/job.ts'
import { lastPart } from '../domain/log/log.ts'
import { couldNotFetch, neverEnded, notRunForADay } from '../domain/log/log-endings.ts'
import { type AfterLoss, afterLoss, type Loss, mostBlamedLosses } from '../domain/job/loss.ts'
import { releaseJob, runningJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import { insertParts } from '../store/logs.ts'
import { cancelInBuild } from './build/cancel-in-build.ts'
import { endRun } from './build/end-run.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { transact, type Transaction } from './transact.ts'

/**
 * Releases a job whose run did not finish, so that it waits for its next attempt; or errors it, with
 * a line in its log, when it is to blame, or when no try succeeded for a day (D39).
 */
export async function resetJob(ctx: Context, run: Run, loss: Loss): Promise<void> {
  const after = await transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, run.job_id)
    const job = build && (await runningJob(tx.db, run))
    if (!job) return
    const after = afterLoss(job, loss)
    // Approved once, it ran on when its pull request got another head; it must not begin anew.
    if (build.waits_for_approval) await cancelInBuild(tx, build, [job.id])
    else if (after.next === 'retry') await release(tx, job, loss, after)
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
  { id, owner_id, owner_type }: Job,
  { kind, reason }: Loss,
  { seconds, blamed }: Extract<AfterLoss, { next: 'retry' }>,
): Promise<void> {
  await endLeases(tx.db, [id])
  await releaseJob(tx.db, id, kind === 'stopped' ? undefined : { seconds, blamed, reason })
  tx.follow('jobs.schedule', { owner_id, owner_type }, seconds * 1000)
}

async function giveUp(tx: Transaction, build: Build, run: Run, content: string): Promise<void> {
  await insertParts(tx.db, run, [{ number: lastPart, content, final: true }])
  await endRun(tx, build, run, { state: 'errored' })
}
