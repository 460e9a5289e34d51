import type { Build } from '../domain/build.ts'
import type { Job } from '../domain/job.ts'
import { updateBuild } from '../store/builds.ts'
import { moveJob } from '../store/jobs.ts'
import { setLastBuild } from '../store/repositories.ts'
import { stagesOfBuild, updateStage } from '../store/stages.ts'
import type { Database } from '../store/tables.ts'
import { announceBuild } from './build/announce-build.ts'
import type { Run } from './claim-job.ts'
import type { Context } from './context.ts'
import { lockBuildOfJob } from './build/lock-build.ts'

/**
 * Records that a job's machine is up and its script begins, and what that makes of stage and build.
 * False when the job is no longer this run's.
 */
export async function startJob(ctx: Context, run: Run): Promise<boolean> {
  const stream = await ctx.db.transaction().execute(async (tx) => {
    const build = await lockBuildOfJob(tx, run.job_id)
    if (!build) return
    const started_at = ctx.now()
    const job = await moveJob(tx, { id: run.job_id, attempt: run.attempt }, ['received'], {
      state: 'started',
      started_at,
    })
    if (!job) return
    await startStage(tx, job, started_at)
    return { build: await startBuild(ctx, tx, build, started_at) }
  })
  if (!stream) return false
  if (stream.build) await ctx.enqueue('outbox.publish', { stream: stream.build })
  return true
}

async function startStage(tx: Database, job: Job, started_at: Date): Promise<void> {
  const stages = await stagesOfBuild(tx, job.build_id)
  const stage = stages.find(({ id, state }) => id === job.stage_id && state === 'created')
  if (stage) await updateStage(tx, stage.id, { state: 'started', started_at })
}

/** Only the first job of a build starts it (ST-25, ST-26). Answers the stream to ring for. */
async function startBuild(
  ctx: Context,
  tx: Database,
  build: Build,
  started_at: Date,
): Promise<string | undefined> {
  if (build.state !== 'created' && build.state !== 'received') return
  await updateBuild(tx, build.id, { state: 'started', started_at: build.started_at ?? started_at })
  // ST-27: a restarted build keeps the place it took when it started first.
  if (build.restarted_at === null) await setLastBuild(tx, build, started_at)
  return announceBuild(ctx, tx, { ...build, state: 'started' })
}
