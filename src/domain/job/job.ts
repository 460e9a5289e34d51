import type { OwnerType } from '../owner.ts'
import type { Check } from '../request/check.ts'

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
export const final = [
  'passed',
  'failed',
  'errored',
  'canceled',
] as const satisfies readonly JobState[]
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

/** The number of a job's first attempt. */
export const firstAttempt = 1

/** An earlier attempt of a job; the attempt and its log have the same number. */
export interface JobVersion {
  job_id: number
  number: number
  /** Errored for a lost attempt. */
  state: FinalState
  created_at: Date
  queued_at: Date | null
  received_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  restarted_at: Date | null
  /** The user or the cause that canceled the attempt, as in `Job`. */
  cancel_reason: string | null
  /** Why the attempt ended without a result, after which the job waited for its next attempt. */
  lost_reason: string | null
}

/** Where a job of the matrix comes from, to be shown to users. */
export interface JobOrigin {
  /** `default` is the only job of a file that describes a job at its root. */
  kind: 'matrix' | 'include' | 'default' | 'error'
  /** Line of the build file, counted from 1, if there is one. */
  line: number | null
  /** For a job of the matrix: its position on each axis, in the order of the axes. */
  cell?: AxisPosition[]
  /** For an included job: the number of its entry in `jobs.include`, counted from 1. */
  entry?: number
  /** The keys in which the jobs of its build differ, `env` aside; absent in older rows. */
  differing?: string[]
  /** The keys of the job whose values are defaults and so request nothing; absent in older rows. */
  assumed?: string[]
}

export interface AxisPosition {
  /** The matrix key. */
  key: string
  /** Number of the value on the axis, counted from 1, and how many values the axis has. */
  number: number
  of: number
  /** Line of the value, if the file contains it. */
  line: number | null
}

/** The part of a build file for one job. Values are as in the file; secure values are sealed. */
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
  /** Number of the current attempt, or of the next while it waits; older numbers are ignored (ST-09). */
  attempt: number
  /** Losses that count against the job, since its last restart (D39). */
  resets: number
  /** Losses of any kind since the last restart: more losses make the pause before the next try longer. */
  retries: number
  /** The job is not scheduled before `retry_at`; `retry_reason` is why it was lost. */
  retry_at: Date | null
  retry_reason: string | null
  /** When the job was first lost. */
  unlucky_since: Date | null
  /** Set when the failure of an earlier stage canceled the job. */
  canceled_by_stage: boolean
  /** The language version that the job ran with because the requested version was missing (D42). */
  found_version: string | null
  /** The image of the container that it ran in; null without one. */
  image: string | null
  /** The machine that the build file requests; null for each part that it leaves open (D52). */
  os: string | null
  arch: string | null
  /** The requested part that no runner had, such as `os osx`: the job did not run, or ran elsewhere. */
  unmet: string | null
  /** The time since which the job waits for such a runner. */
  unmet_since: Date | null
  /** The other machine that the job ran on, such as `linux on amd64`. */
  found_machine: string | null
  /** Why the job ended as errored, in a sentence of the service or of the job's log. */
  reason: string | null
  created_at: Date
  updated_at: Date
  queued_at: Date | null
  received_at: Date | null
  started_at: Date | null
  finished_at: Date | null
  canceled_at: Date | null
  restarted_at: Date | null
  restarted_by_id: number | null
  /** The user who canceled it; null if the service did. */
  canceled_by_id: number | null
  /** The user or the cause that canceled it: `canceled by octavia`, `canceled because …`. */
  cancel_reason: string | null
}

/** A job without its part of the build file, by far the largest part of a job. */
export type BareJob = Omit<Job, 'config' | 'origin'>
