import type { Job } from './job.ts'

/** The way in which a run of a job ended without a result, with the reason as a text for users. */
export type Loss =
  /** The job's runner was stopped in an orderly way. */
  | { kind: 'stopped'; reason: string }
  /** The machine or the service could not start or continue the run. */
  | { kind: 'machine'; reason: string }
  /** The code host refused the credential that its commit is fetched with. */
  | { kind: 'refused'; reason: string }
  /** The runner, or the environment of the job's commands, is gone; so are `others` of the runner's jobs. */
  | { kind: 'gone'; reason: string; others: number }

export type AfterLoss =
  /** `blamed`: the loss counts against the job. */
  | { next: 'retry'; seconds: number; blamed: boolean }
  | { next: 'errored'; why: 'culprit' | 'refused' | 'too_long' }

/** Number of losses counted against a job after which the job is given up. */
export const mostBlamedLosses = 3

/** Seconds during which losses that do not count against the job are followed by another try. */
const longestSeconds = 24 * 60 * 60

type LostJob = Pick<Job, 'state' | 'resets' | 'retries' | 'retry_reason'> & {
  /** Seconds since the first loss of the job; null if this loss is the first. */
  unlucky_seconds: number | null
}

/**
 * The consequences of a loss for a job (D39). Only a job whose own commands ran can be the culprit, and only
 * if its runner lost no other job at the same time: a machine that dies takes all of its jobs along.
 */
export function afterLoss(job: LostJob, loss: Loss): AfterLoss {
  if (loss.kind === 'stopped') return { next: 'retry', seconds: 0, blamed: false }
  // Each try waits for a minute and has its own credential: the second refusal is deliberate (D36).
  if (loss.kind === 'refused' && job.retry_reason === loss.reason) {
    return { next: 'errored', why: 'refused' }
  }
  const blamed = loss.kind === 'gone' && loss.others === 0 && job.state === 'started'
  if (blamed && job.resets + 1 >= mostBlamedLosses) return { next: 'errored', why: 'culprit' }
  const isTooLong = job.unlucky_seconds !== null && job.unlucky_seconds > longestSeconds
  if (isTooLong) return { next: 'errored', why: 'too_long' }
  return { next: 'retry', seconds: retryPause(job.retries), blamed }
}

/** Seconds until the next try: 5, 10, 20 … up to 5 minutes. */
export function retryPause(tries: number): number {
  return Math.min(5 * 2 ** Math.min(tries, 10), 5 * 60)
}
