import { isFinished, type JobState, jobStates } from './job/job.ts'
import { isLeftOut, type UnmetJob } from './job/machine.ts'
import type { EventType } from './request/request.ts'
import type { StageState } from './stage.ts'

export type BuildState = Exclude<JobState, 'queued'>

export const buildStates = jobStates.filter((state) => state !== 'queued')
export const finishedStates = buildStates.filter((state) => isFinished({ state }))

export interface Build {
  id: number
  repository_id: number
  request_id: number
  commit_id: number
  branch_id: number | null
  tag_id: number | null
  pull_request_id: number | null
  number: number
  event_type: EventType
  state: BuildState
  previous_state: BuildState | null
  duration: number | null
  config: Record<string, unknown>
  /**
   * The section `notifications` of the build file, without entries whose condition does not hold. For a
   * fork's pull request, the section comes from the base branch.
   */
  notifications: Record<string, unknown>
  /** The problem that made the build file unusable; such a build cannot be restarted. */
  config_error: 'parse' | 'import' | 'fetch' | 'too_many_jobs' | 'too_costly' | null
  fast_finish: boolean
  /** Whether the build is of a fork's pull request whose head commit needs approval (SV-26). */
  waits_for_approval: boolean
  /**
   * Whether it runs before anyone approved that commit, as FORK_APPROVAL allows: it gets no shared values.
   */
  without_approval: boolean
  private: boolean
  sender_id: number | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  finished_at: Date | null
  canceled_at: Date | null
  restarted_at: Date | null
  restarted_by_id: number | null
  /** Whether a newer build of its branch or pull request canceled it (ST-51). */
  auto_canceled: boolean
}

/** Whether a maintainer has yet to approve its commit. */
export function isUnapproved({
  waits_for_approval,
  state,
}: Pick<Build, 'waits_for_approval' | 'state'>): boolean {
  return waits_for_approval && state === 'created'
}

/**
 * Whether a build can be restarted. A build with an unusable build file cannot; if the file could not be
 * fetched, the request is processed again (CF-10).
 */
export function isRestartable(build: Pick<Build, 'state' | 'config_error'>): boolean {
  return isFinished(build) && (build.config_error === null || build.config_error === 'fetch')
}

type JobOutcome = { state: JobState; allow_failure: boolean } & Partial<UnmetJob>

/** In order of severity. */
const worstFirst = ['canceled', 'errored', 'failed'] as const

function worst(outcomes: readonly { state: JobState }[]): 'passed' | (typeof worstFirst)[number] {
  return worstFirst.find((bad) => outcomes.some(({ state }) => state === bad)) ?? 'passed'
}

function required<T extends JobOutcome>(jobs: readonly T[]): T[] {
  return counted(jobs).filter((job) => !job.allow_failure)
}

/** The jobs without those left out because no runner has their machine (D52). */
function counted<T extends JobOutcome>(jobs: readonly T[]): T[] {
  return jobs.filter((job) => !isLeftOut(job))
}

/**
 * Whether these jobs count as finished. With fast finish, jobs that are allowed to fail are not
 * waited for, unless there are no others (ST-22).
 */
export function areDone(jobs: readonly JobOutcome[], fastFinish: boolean): boolean {
  const needed = required(jobs)
  return (fastFinish && needed.length > 0 ? needed : jobs).every(isFinished)
}

/**
 * The state of a stage, derived from its jobs. A started stage stays started while its
 * jobs wait: `was` is the state so far, or `created` after a restart.
 */
export function stageState(
  jobs: readonly JobOutcome[],
  fastFinish: boolean,
  was: StageState,
): StageState {
  // A stage in which no job ran has not passed; this does not decide whether the next stage runs.
  if (jobs.length > 0 && counted(jobs).length === 0) return 'canceled'
  if (jobs.length > 0 && areDone(jobs, fastFinish)) return worst(required(jobs))
  return was === 'started' || jobs.some(({ state }) => state === 'started') ? 'started' : 'created'
}

export interface JobsOfBuild {
  fast_finish: boolean
  /** The state so far, or `created` after a restart. */
  was: BuildState
  jobs: readonly (JobOutcome & { stage: number | null })[]
}

/**
 * The state of a build, derived from its jobs. With stages, the first stage that did not pass decides;
 * jobs that are allowed to fail are waited for, but their outcome does not count. A build of which no
 * job could run is errored.
 */
export function buildState({ jobs, fast_finish, was }: JobsOfBuild): BuildState {
  if (!areDone(jobs, fast_finish)) {
    return was === 'started' || jobs.some(({ state }) => state === 'started')
      ? 'started'
      : 'created'
  }

  if (jobs.length > 0 && counted(jobs).length === 0) return 'errored'
  const numbers = [...new Set(jobs.flatMap(({ stage }) => stage ?? []))].toSorted((a, b) => a - b)
  for (const number of numbers) {
    const state = worst(required(jobs.filter(({ stage }) => stage === number)))
    if (state !== 'passed') return state
  }
  return worst(required(jobs))
}

type RunTimes = { started_at: Date | null; finished_at: Date | null }

/** Whole seconds of work, summed over the jobs: not wall-clock time. */
export function durationOf(jobs: readonly RunTimes[]): number {
  const milliseconds = jobs
    .map(({ started_at, finished_at }) =>
      started_at && finished_at ? finished_at.getTime() - started_at.getTime() : 0,
    )
    .reduce((sum, each) => sum + Math.max(0, each), 0)
  return Math.floor(milliseconds / 1000)
}
