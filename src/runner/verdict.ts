import type { FinalState } from '../domain/job/job.ts'
import { ranOutOfMemory, wasCanceled } from '../domain/log/log-endings.ts'
import type { Exit, JobSpec } from './executor.ts'
import { killedText } from './killed.ts'

/** Why a job is stopped from outside: the reason of the signal that `runJob` gets. */
export type AbortReason =
  | { kind: 'canceled'; text?: string }
  /** This runner stops; another one is to run the job. */
  | { kind: 'shutdown' }
  /** The job belongs to another runner by now (RN-30). */
  | { kind: 'taken' }

/** `again: taken` means: another runner has the job, so nothing is to be reported. */
export const taken = 'taken'

/** `again: stopped` means: nothing went wrong, this runner was stopped. */
export const stopped = 'its runner was stopped'

/** What is known about the end of a job. The text goes to the end of its log. */
export type Verdict = { state: FinalState; text?: string } | Again

/** What a job says that waits for the code host to accept what its commit is fetched with. */
const credentialRefused = 'the code host refused the token that it made for fetching the commit'

/**
 * The job is to be run again; `running`: it was lost while its own commands ran; `refused`: its
 * credential was.
 */
export interface Again {
  again: string
  running?: true
  refused?: true
}

export function verdictOfAbort(reason: AbortReason): Verdict {
  if (reason.kind === 'canceled') return { state: 'canceled', text: wasCanceled(reason.text) }
  if (reason.kind === 'taken') return { again: taken }
  return { again: stopped }
}

/** `tail` is the end of the job's output. */
export function verdictOfExit(exit: Exit, { limits }: JobSpec, tail: string): Verdict {
  if (exit.kind === 'exited') {
    const text = killedText(exit.code, tail)
    return { state: stateOfCode(exit.code), ...(text === undefined ? {} : { text }) }
  }
  if (exit.kind === 'out_of_memory') {
    return { state: 'errored', text: ranOutOfMemory(limits.memory_bytes) }
  }
  if (exit.kind === 'refused') return { again: credentialRefused, refused: true }
  if (exit.kind === 'killed') return { again: 'its machine was stopped' }
  return { again: exit.why, ...(exit.running ? { running: true } : {}) }
}

function stateOfCode(code: number): FinalState {
  if (code === 0) return 'passed'
  return code === 1 ? 'failed' : 'errored'
}

/** Calls back with the reason when the signal is aborted, or at once when it already is. */
export function onAbort(signal: AbortSignal, call: (reason: AbortReason) => void): () => void {
  const listener = () => call(signal.reason as AbortReason)
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
