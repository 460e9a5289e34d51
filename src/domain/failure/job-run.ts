import type { FinalState } from '../job/job.ts'
import type { Failure } from './failure.ts'
import type { Outside, RunInputs } from './outside.ts'

/** One run of a job that finished, and was not canceled. */
export interface JobRun {
  job_id: number
  attempt: number
  repository_id: number
  /** Equal for jobs at the same position of their builds with the same keys. */
  job_key: string
  branch: string
  pull_request_id: number | null
  /** The commit that was tested: of a pull request the merge commit. */
  sha: string
  state: FinalState
  inputs: RunInputs
  /** Null for a run that passed. */
  failure: Failure | null
  /** Hash of the shape of the likeliest cause; null for a run that passed, or if no line is known. */
  cause: string | null
  /**
   * Whether the result is the job's own: it passed or failed, and no limit, want of memory or signal ended it. False
   * as well once the log was removed.
   */
  by_itself: boolean
  /** The changes outside the commit since the last run with the other result, if they are known. */
  outside: Outside | null
  ended_at: Date
}

/** Exit codes of programs that a signal from outside ended: SIGHUP, SIGINT, SIGQUIT, SIGKILL and SIGTERM. */
const endedBySignal = new Set([129, 130, 131, 137, 143])

/**
 * Whether a result is the job's own: it passed or failed, and no limit of the service, want of memory or signal
 * ended it. A job that could not begin is errored.
 */
export function endedByItself(state: FinalState, failure: Failure | null): boolean {
  if (state === 'passed') return true
  if (state !== 'failed' || failure === null || failure.basis === 'limit') return false
  // Whatever was printed before.
  if (endedBySignal.has(failure.exit_code ?? 0)) return false
  return failure.kind !== 'memory' && failure.kind !== 'killed'
}
