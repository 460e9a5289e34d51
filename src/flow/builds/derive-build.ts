import { areDone, type Build, buildState, durationOf, stageState } from '../../domain/build.ts'
import { canceledBecause } from '../../domain/job/cancellation.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import { isLeftOut } from '../../domain/job/machine.ts'
import type { Stage } from '../../domain/stage.ts'
import { updateBuild, lockBuild } from '../../store/builds/builds.ts'
import { stagesOfBuild, updateStage } from '../../store/builds/stages.ts'
import { stagedJobsOfBuild, findJob } from '../../store/jobs/jobs.ts'
import { showEndedBuild } from '../../store/jobs/starts.ts'
import type { Database } from '../../store/tables.ts'
import type { Transaction } from '../transact.ts'
import { announceBuild } from './announce-build.ts'
import { cancelOpenJobs } from './cancel-open-jobs.ts'

/**
 * Updates the states of stages and build from their jobs, and reports a new state of the build; a
 * failed stage cancels the other unfinished stages. The caller holds the lock on the build.
 */
export async function deriveBuild(tx: Transaction, build: Build): Promise<void> {
  await deriveStages(tx, build)
  const jobs = await stagedJobsOfBuild(tx.db, build.id)
  const ended = isFinished(build)
  const state = ended ? build.state : buildState({ ...build, was: build.state, jobs })
  const done = areDone(jobs, build.fast_finish)
  // ST-22: jobs that are still open after a fast finish only change the duration.
  const duration = done ? durationOf(jobs) : build.duration
  const finished_at = done && !ended ? tx.now() : build.finished_at
  const canceled_at = state === 'canceled' && !ended ? tx.now() : build.canceled_at
  await updateBuild(tx.db, build.id, { state, duration, finished_at, canceled_at })
  if (state === build.state) return
  if (state === 'errored' && build.started_at === null) {
    await showEndedBuild(tx.db, build, tx.now())
  }
  await announceBuild(tx, { ...build, state })
}

async function deriveStages(tx: Transaction, build: Build): Promise<void> {
  const stages = await stagesOfBuild(tx.db, build.id)
  if (stages.length === 0) return
  const jobs = await stagedJobsOfBuild(tx.db, build.id)
  for (const stage of stages) {
    const own = jobs.filter(({ stage_id }) => stage_id === stage.id)
    const became = await deriveStage(tx, build, stage, own)
    const isBad = isFinished({ state: became }) && became !== 'passed'
    if (became !== stage.state && isBad && !own.every(isLeftOut)) {
      await cancelOtherStages(tx, build, stage, jobs)
      return
    }
  }
}

async function deriveStage(
  tx: Transaction,
  build: Build,
  stage: Stage,
  jobs: readonly Job[],
): Promise<Stage['state']> {
  if (isFinished(stage)) return stage.state
  const state = stageState(jobs, build.fast_finish, stage.state)
  if (state !== stage.state) {
    const finished_at = isFinished({ state }) ? tx.now() : null
    await updateStage(tx.db, stage.id, { state, finished_at })
  }
  return state
}

async function cancelOtherStages(
  tx: Transaction,
  build: Build,
  failed: Stage,
  jobs: readonly Job[],
): Promise<void> {
  const now = tx.now()
  const others = jobs.filter((job) => job.stage_id !== failed.id && !isFinished(job))
  const why = `stage ${failed.number} (${failed.name}) did not pass`
  await cancelOpenJobs(tx, others, { ...canceledBecause(why), canceled_by_stage: true })
  for (const stage of await stagesOfBuild(tx.db, build.id)) {
    if (isFinished(stage)) continue
    const state = stage.id === failed.id ? stage.state : ('canceled' as const)
    if (state === 'canceled') await updateStage(tx.db, stage.id, { state, finished_at: now })
  }
}

/** Locks the build of a job; to be called before any of its rows is changed (ST-01). */
export async function lockBuildOfJob(db: Database, jobId: number): Promise<Build | undefined> {
  const job = await findJob(db, jobId)
  return job && lockBuild(db, job.build_id)
}
