import type { Actor } from '../../domain/audit.ts'
import { type Build, buildState, stageState } from '../../domain/build.ts'
import { isFinished, type Job } from '../../domain/job/job.ts'
import { updateBuild } from '../../store/builds/builds.ts'
import { restartJobs } from '../../store/builds/restarts.ts'
import { stagesOfBuild, updateStage } from '../../store/builds/stages.ts'
import { stagedJobsOfBuild } from '../../store/jobs/jobs.ts'
import { awaitsApprovalAgain } from '../requests/awaits-approval.ts'
import type { Transaction } from '../transact.ts'
import { announceBuild } from './announce-build.ts'

/**
 * Resets finished jobs of a build to wait for another run, and derives the states of their stages and of
 * the build (ST-30). Throws if they come from a fork and the pull request no longer has their head. The
 * caller holds the lock on the build.
 */
export async function restartInBuild(
  tx: Transaction,
  build: Build,
  jobs: readonly Job[],
  by: Actor,
): Promise<void> {
  const approval = await awaitsApprovalAgain(tx, build)
  const restarted = { restarted_at: tx.now(), restarted_by_id: by.user.id }
  await restartJobs(
    tx.db,
    jobs.map(({ id }) => id),
    restarted,
  )
  await reopenStages(tx, build, new Set(jobs.map(({ stage_id }) => stage_id)))

  const now = await stagedJobsOfBuild(tx.db, build.id)
  const state = buildState({ fast_finish: build.fast_finish, was: 'created', jobs: now })
  // After a fast finish, jobs that may fail no longer change the build (ST-22).
  const reopened = isFinished({ state }) ? {} : reopenedBuild(build, state)
  await updateBuild(tx.db, build.id, { ...restarted, ...reopened, ...approval })
  if (!isFinished({ state }) && state !== build.state) await announceBuild(tx, { ...build, state })
  const [first] = jobs
  if (first) {
    tx.follow('jobs.schedule', { owner_id: first.owner_id, owner_type: first.owner_type })
  }
}

/** The columns of a build that is open again because one of its jobs waits. */
export function reopenedBuild({ started_at }: Pick<Build, 'started_at'>, state: Build['state']) {
  return {
    state,
    started_at: state === 'created' ? null : started_at,
    finished_at: null,
    canceled_at: null,
    auto_canceled: false,
    duration: null,
  }
}

async function reopenStages(
  tx: Transaction,
  { id, fast_finish }: Build,
  restarted: ReadonlySet<number | null>,
): Promise<void> {
  const stages = (await stagesOfBuild(tx.db, id)).filter((stage) => restarted.has(stage.id))
  if (stages.length === 0) return
  const jobs = await stagedJobsOfBuild(tx.db, id)
  for (const stage of stages) {
    const own = jobs.filter(({ stage_id }) => stage_id === stage.id)
    const state = stageState(own, fast_finish, 'created')
    if (isFinished({ state })) continue
    const started_at = state === 'created' ? null : stage.started_at
    await updateStage(tx.db, stage.id, { state, started_at, finished_at: null })
  }
}
