import { areDone, type Build, buildState, durationOf, stageState } from '../../domain/build.ts'
import { isFinished, type Job, unfinished } from '../../domain/job.ts'
import type { Stage } from '../../domain/stage.ts'
import { updateBuild } from '../../store/builds.ts'
import { moveJob, stagedJobsOfBuild } from '../../store/jobs.ts'
import { endLeases } from '../../store/leases.ts'
import { stagesOfBuild, updateStage } from '../../store/stages.ts'
import type { Database } from '../../store/tables.ts'
import { announceBuild } from './announce-build.ts'
import type { Context } from '../context.ts'

/**
 * Brings stages and build up to date with their jobs (pipeline 4.3); a stage that failed cancels
 * what would come after it (ST-41). Wants the lock on the build. Answers the stream to ring for, if
 * there is something to tell.
 */
export async function deriveBuild(
  ctx: Context,
  tx: Database,
  build: Build,
): Promise<string | undefined> {
  await deriveStages(ctx, tx, build)
  const jobs = await stagedJobsOfBuild(tx, build.id)
  const ended = isFinished(build)
  const state = ended ? build.state : buildState({ ...build, was: build.state, jobs })
  const done = areDone(jobs, build.fast_finish)
  // ST-22: what is still open after a fast finish changes nothing any more but the duration.
  const duration = done ? durationOf(jobs) : build.duration
  const finished_at = done && !ended ? ctx.now() : build.finished_at
  await updateBuild(tx, build.id, { state, duration, finished_at })
  return state === build.state ? undefined : announceBuild(ctx, tx, { ...build, state })
}

async function deriveStages(ctx: Context, tx: Database, build: Build): Promise<void> {
  const stages = await stagesOfBuild(tx, build.id)
  if (stages.length === 0) return
  const jobs = await stagedJobsOfBuild(tx, build.id)
  for (const stage of stages) {
    const own = jobs.filter(({ stage_id }) => stage_id === stage.id)
    const became = await deriveStage(ctx, tx, build, stage, own)
    if (became !== stage.state && isFinished({ state: became }) && became !== 'passed') {
      await cancelOtherStages(ctx, tx, build, stage, jobs)
      return
    }
  }
}

async function deriveStage(
  ctx: Context,
  tx: Database,
  build: Build,
  stage: Stage,
  jobs: readonly Job[],
): Promise<Stage['state']> {
  if (isFinished(stage)) return stage.state
  const state = stageState(jobs, build.fast_finish, stage.state)
  if (state !== stage.state) {
    const finished_at = isFinished({ state }) ? ctx.now() : null
    await updateStage(tx, stage.id, { state, finished_at })
  }
  return state
}

async function cancelOtherStages(
  ctx: Context,
  tx: Database,
  build: Build,
  failed: Stage,
  jobs: readonly Job[],
): Promise<void> {
  const now = ctx.now()
  const others = jobs.filter((job) => job.stage_id !== failed.id && !isFinished(job))
  for (const { id } of others) {
    await moveJob(tx, { id }, unfinished, {
      state: 'canceled',
      canceled_by_stage: true,
      canceled_at: now,
      finished_at: now,
    })
  }
  await endLeases(
    tx,
    others.map(({ id }) => id),
  )
  for (const stage of await stagesOfBuild(tx, build.id)) {
    if (isFinished(stage)) continue
    const state = stage.id === failed.id ? stage.state : ('canceled' as const)
    if (state === 'canceled') await updateStage(tx, stage.id, { state, finished_at: now })
  }
}
