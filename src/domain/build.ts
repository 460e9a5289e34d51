import { isFinished, type JobState, jobStates } from './job/job.ts'
import type { EventType } from './request/request.ts'
import type { StageState } from './stage.ts'

export type BuildState = Exclude<JobState, 'queued'>

export const buildStates = jobStates.filter((state) => state !== 'queued')

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
   * Who is told of it: that section of the build file, without the entries whose condition does not hold.
   * Of a fork's pull request it is that of the branch it is for.
   */
  notifications: Record<string, unknown>
  /** What made the build file unusable; such a build cannot be restarted. */
  config_error: 'parse' | 'import' | 'fetch' | 'too_many_jobs' | 'too_costly' | null
  fast_finish: boolean
  /** A fork's pull request that waits for the approval of its head commit (SV-26). */
  waits_for_approval: boolean
  private: boolean
  sender_id: number | null
  created_at: Date
  updated_at: Date
  started_at: Date | null
  finished_at: Date | null
  canceled_at: Date | null
  restarted_at: Date | null
  restarted_by_id: number | null
}

/**
 * Whether it can be run again. One whose build file cannot be used cannot; where the file could not
 * be fetched, its request is processed again (CF-10).
 */
export function isRestartable(build: Pick<Build, 'state' | 'config_error'>): boolean {
  return isFinished(build) && (build.config_error === null || build.config_error === 'fetch')
}

type JobOutcome = { state: JobState; allow_failure: boolean }

/** In order of severity. */
const worstFirst = ['canceled', 'errored', 'failed'] as const

function worst(outcomes: readonly { state: JobState }[]): 'passed' | (typeof worstFirst)[number] {
  return worstFirst.find((bad) => outcomes.some(({ state }) => state === bad)) ?? 'passed'
}

function required<T extends JobOutcome>(jobs: readonly T[]): T[] {
  return jobs.filter((job) => !job.allow_failure)
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
 * The state of a build, derived from its jobs. With stages, the first one that did not pass decides;
 * jobs that are allowed to fail are waited for, but their outcome does not count.
 */
export function buildState({ jobs, fast_finish, was }: JobsOfBuild): BuildState {
  if (!areDone(jobs, fast_finish)) {
    return was === 'started' || jobs.some(({ state }) => state === 'started')
      ? 'started'
      : 'created'
  }

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
