import type { FinalState } from '../job/job.ts'
import type { Failure } from './failure.ts'
import type { Outside } from './outside.ts'

/** What a run had besides its commit: all that can make two runs of one commit end differently. */
export interface RunInputs {
  /** Hash of the job's part of the build file. */
  definition: string
  /** What programs said of their versions, by the command that asked them. */
  versions: Record<string, string>
  /** The name of the image, and the id of what it named; null for runs without one. */
  image: string | null
  image_id: string | null
  runner: string
  /** The kind of the build: a push and a cron build of one commit have other variables. */
  event: string
  /** Salted hashes of the variables of the settings, by their names. */
  variables: Record<string, string>
  /** Hashes of the imported files that are no part of the commit, by their sources. */
  imports: Record<string, string>
}

/** One run of a job that came to its end, and was not canceled. */
export interface JobRun {
  job_id: number
  attempt: number
  repository_id: number
  /** The same for jobs at the same position of their builds with the same keys. */
  job_key: string
  branch: string
  pull_request_id: number | null
  /** The commit that was tested: of a pull request the merge commit. */
  sha: string
  state: FinalState
  inputs: RunInputs
  /** Null for a run that passed. */
  failure: Failure | null
  /** Hash of the shape of the likeliest cause; null for a run that passed, or where no line is known. */
  cause: string | null
  /**
   * Whether the result is the job's own: it passed or failed, and no limit, want of memory or signal ended it.
   */
  by_itself: boolean
  /** What changed outside the commit since the last run with the other result, where that is known. */
  outside: Outside | null
  ended_at: Date
}

/**
 * Whether a result is the job's own: it passed or failed, and no limit of the service, want of memory or signal
 * ended it. A job that could not begin is errored.
 */
export function endedByItself(state: FinalState, failure: Failure | null): boolean {
  if (state === 'passed') return true
  if (state !== 'failed' || failure === null || failure.basis === 'limit') return false
  return failure.kind !== 'memory' && failure.kind !== 'killed'
}
