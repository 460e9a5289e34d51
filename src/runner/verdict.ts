import type { FinalState } from '../domain/job/job.ts'
import { ranOutOfDisk, ranOutOfMemory, wasCanceled } from '../texts/log-endings.ts'
import { endingText } from './ending.ts'
import type { Exit, JobSpec } from './executor.ts'

/** Why a job is stopped from outside: the reason of the signal that `runJob` gets. */
export type AbortReason =
  | { kind: 'canceled'; reason: string }
  /** This runner stops; another one is to run the job. */
  | { kind: 'shutdown' }
  /** The job now belongs to another runner (RN-30). */
  | { kind: 'taken' }

/** `again: taken` means: another runner has the job, so nothing is to be reported. */
export const taken = 'taken'

/** `again: stopped` means: nothing went wrong, this runner was stopped. */
export const stopped = 'its runner was stopped'

/** How a job ended. The text is appended to its log. */
export type Verdict = { state: FinalState; text?: string } | Again

/** Reason shown for a job that waits until the code host accepts the credential for fetching its commit. */
const credentialRefused = 'the code host refused its own token for fetching the commit'

/**
 * The job must run again. `running`: the job was lost while its own commands ran; `refused`: the code
 * host refused its credential.
 */
export interface Again {
  again: string
  running?: true
  refused?: true
}

export function verdictOfAbort(reason: AbortReason): Verdict {
  if (reason.kind === 'canceled') return { state: 'canceled', text: wasCanceled(reason.reason) }
  if (reason.kind === 'taken') return { again: taken }
  return { again: stopped }
}

/** `tail` is the end of the job's output. */
export function verdictOfExit(exit: Exit, { limits }: JobSpec, tail: string): Verdict {
  if (exit.kind === 'exited') {
    const text = endingText(exit.code, tail)
    return { state: stateOfCode(exit.code), ...(text === undefined ? {} : { text }) }
  }
  if (exit.kind === 'out_of_memory') {
    return { state: 'errored', text: ranOutOfMemory(limits.memory_bytes) }
  }
  if (exit.kind === 'out_of_disk') {
    return { state: 'errored', text: ranOutOfDisk(limits.disk_bytes) }
  }
  if (exit.kind === 'refused') return { again: credentialRefused, refused: true }
  if (exit.kind === 'killed') return { again: 'its machine was stopped' }
  return { again: exit.why, ...(exit.running ? { running: true } : {}) }
}

function stateOfCode(code: number): FinalState {
  if (code === 0) return 'passed'
  return code === 1 ? 'failed' : 'errored'
}

/** Calls back with the reason when the signal is aborted, or immediately if it already is. */
export function onAbort(signal: AbortSignal, call: (reason: AbortReason) => void): () => void {
  const listener = () => call(signal.reason as AbortReason)
  if (signal.aborted) listener()
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
