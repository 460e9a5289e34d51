import type { Actor } from '../../domain/audit.ts'
import { canceledBy } from '../../domain/job/cancellation.ts'
import { type Job, isFinished, unfinished } from '../../domain/job/job.ts'
import { lockBuild } from '../../store/builds/builds.ts'
import { stagesOfBuild, updateStage } from '../../store/builds/stages.ts'
import { jobsOfBuild, moveJob } from '../../store/jobs/jobs.ts'
import { revokeLeases } from '../../store/jobs/leases.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { endSeconds } from '../jobs/claim-job.ts'
import { transact } from '../transact.ts'
import { cancelInBuild } from './cancel-in-build.ts'
import { deriveBuild, lockBuildOfJob } from './derive-build.ts'

/** Cancels all unfinished jobs of a build, and returns them; empty if there were none. */
export function cancelBuild(ctx: Context, by: Actor, buildId: number): Promise<Job[]> {
  return transact(ctx, async (tx) => {
    const build = await lockBuild(tx.db, buildId)
    if (!build) return []
    const jobs = await jobsOfBuild(tx.db, buildId)
    const canceled = await cancelInBuild(
      tx,
      build,
      jobs.map(({ id }) => id),
      canceledBy(by),
    )
    if (canceled.length > 0) {
      await audit(tx, by, {
        action: 'cancel',
        subject_type: 'build',
        subject_id: buildId,
        changed: { jobs: canceled.map(({ id }) => id) },
      })
    }
    return canceled
  })
}

/**
 * Leaves out all other jobs of a build. Unlike a job that is canceled while its build runs, a left-out job
 * does not end its stage as failed: the wanted job does not wait for it, and is not canceled with it.
 */
export async function runOnly(ctx: Context, wanted: Job): Promise<void> {
  await transact(ctx, async (tx) => {
    const build = await lockBuildOfJob(tx.db, wanted.id)
    if (!build) return
    const jobs = await jobsOfBuild(tx.db, build.id)
    const others = jobs.filter((job) => job.id !== wanted.id && !isFinished(job))
    const now = tx.now()
    const leftOut = { state: 'canceled', finished_at: now } as const
    for (const { id } of others) {
      await moveJob(tx.db, { id }, unfinished, { ...leftOut, canceled_at: now })
    }
    await revokeLeases(
      tx.db,
      others.map(({ id }) => id),
      endSeconds(tx.config),
    )
    // This precedes `deriveBuild`: a stage that ends there cancels the other stages.
    for (const stage of await stagesOfBuild(tx.db, build.id)) {
      if (stage.id !== wanted.stage_id && !isFinished(stage))
        await updateStage(tx.db, stage.id, leftOut)
    }
    await deriveBuild(tx, build)
    tx.follow('jobs.schedule', { owner_id: wanted.owner_id, owner_type: wanted.owner_type })
  })
}
