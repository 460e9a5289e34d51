import { grouped } from '../../domain/grouped.ts'
import { leftOutText, refusedText, unmetPart } from '../../domain/job/machine.ts'
import type { Schedule } from '../../domain/job/scheduling.ts'
import { lockBuild } from '../../store/builds/builds.ts'
import { jobsOfBuild, moveJob } from '../../store/jobs/jobs.ts'
import { liveRunners } from '../../store/jobs/runners.ts'
import { lockOpenJobs } from '../../store/jobs/waiting-jobs.ts'
import { leftOut, refused } from '../../texts/log-endings.ts'
import { writeLog } from '../builds/create-jobs.ts'
import { deriveBuild } from '../builds/derive-build.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'

/**
 * Ends jobs that request a machine which no runner of this service provides (D52): as errored, or
 * as left out of their builds if the operator has chosen that. The log of each job has the reason.
 */
export async function endUnmetJobs(ctx: Context, unmet: Schedule['unmet']): Promise<void> {
  for (const [buildId, jobs] of grouped(unmet, ({ build_id }) => build_id)) {
    const ids = new Set(jobs.map(({ id }) => id))
    await transact(ctx, (tx) => endOfBuild(tx, buildId, ids))
  }
}

async function endOfBuild(
  tx: Transaction,
  buildId: number,
  ids: ReadonlySet<number>,
): Promise<void> {
  const build = await lockBuild(tx.db, buildId)
  if (!build) return
  await lockOpenJobs(tx.db, buildId)
  const runners = await liveRunners(tx.db)
  const { otherMachines, machineChoice } = tx.config
  const isSkipped = otherMachines === 'skip'
  const jobs = (await jobsOfBuild(tx.db, buildId)).filter(({ id }) => ids.has(id))
  for (const job of jobs) {
    const reason = refusedText(job, runners, machineChoice)
    const ending = isSkipped
      ? { state: 'canceled' as const, canceled_at: tx.now() }
      : { state: 'errored' as const, reason }
    const unmet = unmetPart(job, runners)
    const ended = await moveJob(tx.db, job, ['created'], {
      ...ending,
      unmet,
      finished_at: tx.now(),
    })
    if (!ended) continue
    const text = isSkipped ? leftOut(leftOutText(job, runners, machineChoice)) : refused(reason)
    await writeLog(tx, job, text)
    tx.log.info({ job_id: job.id, unmet, state: ended.state }, 'no runner has the machine of a job')
    const { owner_id, owner_type } = job
    tx.follow('jobs.schedule', { owner_id, owner_type })
  }
  await deriveBuild(tx, build)
}
