import type { Check } from '../request/check.ts'
import type { OwnerType } from '../owner.ts'

export const jobStates = [
  'created',
  'queued',
  'received',
  'started',
  'passed',
  'failed',
  'errored',
  'canceled',
] as const

export type JobState = (typeof jobStates)[number]
export type FinalState = Extract<JobState, 'passed' | 'failed' | 'errored' | 'canceled'>

/** The states in which a runner holds, or is about to claim, the job. */
export const running = ['queued', 'received', 'started'] as const satisfies readonly JobState[]
export const unfinished = ['created', ...running] as const satisfies readonly JobState[]

export function isFinished<T extends { state: JobState }>(of: T): of is T & { state: FinalState } {
  return !(unfinished as readonly JobState[]).includes(of.state)
}

/** The transitions of a job, and the states from which each is possible. */
export const transitions = {
  enqueue: { from: ['created'], to: 'queued' },
  receive: { from: ['created', 'queued'], to: 'received' },
  start: { from: ['created', 'queued', 'received'], to: 'started' },
  // A finish may come before the reports that should have preceded it.
  finish: { from: unfinished, to: undefined },
  cancel: { from: unfinished, to: 'canceled' },
  // A finished job is never reopened by a reset, only by a restart.
  reset: { from: running, to: 'created' },
  restart: { from: ['passed', 'failed', 'errored', 'canceled'], to: 'created' },
  stale: { from: running, to: 'errored' },
} as const satisfies Record<string, { from: readonly JobState[]; to: JobState | undefined }>

/** A run of a job before it was restarted: its number is that of the attempt, and of its log. */
export interface JobVersion {
  job_id: number
  number: number
  state: FinalState
  created_at: Date
  queued_at: Date | null
  received_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  restarted_at: Date | null
}

/** Where a job of the matrix comes from, to be shown to users. */
export interface JobOrigin {
  /** `default` is the only job of a file that describes one at its root. */
  kind: 'matrix' | 'include' | 'default' | 'error'
  /** Line of the build file, counted from 1, where there is one. */
  line: number | null
  /** Of a job of the matrix: its position on each of the axes, in their order. */
  cell?: AxisPosition[]
  /** Of an included job: which entry of `jobs.include` it is, counted from 1. */
  entry?: number
  /** The keys in which the jobs of its build differ, `env` aside; absent in older rows. */
  differing?: string[]
}

export interface AxisPosition {
  /** The matrix key. */
  key: string
  /** Which of its values, counted from 1, and of how many. */
  number: number
  of: number
  /** Of the value, where the file has it. */
  line: number | null
}

/** The part of a build file that one job runs by. Values are as in the file; secure ones sealed. */
export type JobConfig = Record<string, unknown>

export interface Job {
  id: number
  repository_id: number
  build_id: number
  stage_id: number | null
  commit_id: number
  owner_id: number
  owner_type: OwnerType
  /** `7.1`: number of the build, position in the build counted from 1. */
  number: string
  name: string | null
  /** `<stage>.<index>`, both counted from 1; null without stages. */
  stage_number: string | null
  state: JobState
  queue: string
  config: JobConfig
  allow_failure: boolean
  private: boolean
  origin: JobOrigin
  /** Why the job still waits, as of the last scheduling of its owner. */
  checks: Check[]
  /** Counts the runs and restarts of this job; whatever carries an older one is ignored (ST-09). */
  attempt: number
  /** Losses that count against the job, since its last restart (D39). */
  resets: number
  /** Losses of any kind since then: the more, the longer the pause before the next try. */
  retries: number
  /** It is not scheduled before, and why it was lost. */
  retry_at: Date | null
  retry_reason: string | null
  /** When it was first lost. */
  unlucky_since: Date | null
  /** Set when the failure of an earlier stage canceled the job. */
  canceled_by_stage: boolean
  /** The version of its language that it ran with where the one asked for was not there (D42). */
  found_version: string | null
  created_at: Date
  updated_at: Date
  queued_at: Date | null
  received_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  canceled_at: Date | null
  restarted_at: Date | null
  restarted_by_id: number | null
}

/** A job without its part of the build file, which is by far the largest of a job. */
export type BareJob = Omit<Job, 'config' | 'origin'>
