import { isFinished, type Job, unfinished } from '../domain/job/job.ts'
import { jobsOfBuild, moveJob } from '../store/jobs.ts'
import { endLeases } from '../store/leases.ts'
import { stagesOfBuild, updateStage } from '../store/stages.ts'
import { deriveBuild } from './build/derive-build.ts'
import { lockBuildOfJob } from './build/lock-build.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Leaves out all other jobs of a build. Unlike one that is canceled while a build runs, a job that is
 * left out ends no stage: the wanted one does not wait for it, and is not canceled with it.
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
    await endLeases(
      tx.db,
      others.map(({ id }) => id),
    )
    // Before the build is derived: a stage that ends then cancels the others.
    for (const stage of await stagesOfBuild(tx.db, build.id)) {
      if (stage.id !== wanted.stage_id && !isFinished(stage))
        await updateStage(tx.db, stage.id, leftOut)
    }
    await deriveBuild(tx, build)
    tx.follow('jobs.schedule', { owner_id: wanted.owner_id, owner_type: wanted.owner_type })
  })
}
