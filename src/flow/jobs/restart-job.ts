import type { Actor } from '../../domain/audit.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import { stagedJobsOfBuild } from '../../store/jobs/jobs.ts'
import { audit } from '../audit.ts'
import { lockBuildOfJob } from '../builds/derive-build.ts'
import { processAgain } from '../builds/process-again.ts'
import { refuseOfArchived, refuseOfBlocked } from '../builds/refuse-restart.ts'
import { restartInBuild } from '../builds/restart-in-build.ts'
import type { Context } from '../context.ts'
import { transact, type Transaction } from '../transact.ts'

/**
 * Restarts a finished job, and the jobs that were canceled because its stage failed. Undefined if the
 * job has not finished, or its build has an unusable build file. Throws if the repository is archived,
 * or a blocked user caused the build.
 */
export function restartJob(ctx: Context, by: Actor, id: number): Promise<Job | undefined> {
  return transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, id)
    if (!build) return
    const [job, ...later] = await jobsToRestart(tx, build.id, id)
    if (!job) return
    await refuseOfArchived(tx, build)
    await refuseOfBlocked(tx, build)
    if (build.config_error === null) await restartInBuild(tx, build, [job, ...later], by)
    else if (build.config_error === 'fetch' && isFinished(build)) {
      await processAgain(tx, build, [job], by)
    } else return
    await audit(tx, by, {
      action: 'restart',
      subject_type: 'job',
      subject_id: id,
      changed: { jobs: [id, ...later.map((each) => each.id)] },
    })
    return job
  })
}

/** The job, if it has finished, and the jobs of later stages that it kept from running (ST-44). */
async function jobsToRestart({ db }: Transaction, buildId: number, id: number): Promise<Job[]> {
  const jobs = await stagedJobsOfBuild(db, buildId)
  const job = jobs.find((each) => each.id === id)
  if (!job || !isFinished(job)) return []
  const others = jobs.filter((each) => each.id !== id)
  const keepsOut = others.filter(stopsStages).map(stageOf)
  // A stage that another job still keeps from running is restarted with that job.
  const later = others.filter(
    (each) =>
      each.canceled_by_stage &&
      stageOf(each) > stageOf(job) &&
      keepsOut.every((stage) => stage >= stageOf(each)),
  )
  return [job, ...later]
}

/** The stage of a job; 0 in a build without stages. */
const stageOf = ({ stage }: { stage: number | null }) => stage ?? 0

/** Whether a job ended in a way that keeps later stages from running. */
function stopsStages({ state, allow_failure, canceled_by_stage }: Job): boolean {
  return isFinished({ state }) && state !== 'passed' && !allow_failure && !canceled_by_stage
}
