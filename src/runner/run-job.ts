import type { FinalState } from '../domain/job/job.ts'
import { couldNotStart } from '../domain/log/log-endings.ts'
import { awakeTimers } from './awake-timers.ts'
import { type Executor, type JobSpec, type Running, StartError } from './executor.ts'
import { followJob, type Limits } from './follow-job.ts'
import { createJobMasker } from './job-masker.ts'
import type { Sink } from './log-queue.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import { startMachine } from './start-machine.ts'
import { systemTimers, type Timers } from './timers.ts'
import { type Again, onAbort, taken, type Verdict, verdictOfAbort } from './verdict.ts'
import { workerInfo } from './worker-info.ts'

// How long a stopped job may still try to save its log.
const patience = 30_000

export interface JobRun {
  spec: JobSpec
  /** Values that must not be seen in the log, in none of their usual forms. */
  secrets: readonly string[]
  /** With which its program hands over what bash makes of secrets; null or absent where it does not. */
  mask_nonce?: string | null
  limits: Limits
  /** Facts for the fold at the top of the log. */
  worker_info: Readonly<Record<string, string>>
  /** Saves log parts. Called again with the same ones when it rejects. */
  sink: Sink
  /** Called when the machine is up. False means that the job is no longer ours. */
  started: () => Promise<boolean>
  timers?: Timers
}

/** How a job ended, or why it is handed back to be run again; see `taken` and `stopped`. */
export type Outcome = { state: FinalState; found_version?: string } | Again

/**
 * Runs a job on a machine and writes its log, whichever executor it is. The reason of the signal is
 * an AbortReason. When the job is handed back, its log of this attempt stays without a final part.
 * Throws only what `started` throws, or what is a bug; nothing of the job runs then either.
 */
export async function runJob(
  executor: Executor,
  job: JobRun,
  signal: AbortSignal,
): Promise<Outcome> {
  const timers = job.timers ?? systemTimers
  const log = createLogWriter({
    masker: createJobMasker(job.secrets, job.mask_nonce ?? null),
    limit: job.limits.log_bytes,
    sink: job.sink,
    timers,
  })
  const limits = awakeTimers(timers)
  const begun = timers.now()
  const machine = await findMachine(executor, job.spec, limits, signal)
  if ('verdict' in machine) return closeLog(log, machine.verdict, limits, signal)

  const { running } = machine
  try {
    const startup = `${((timers.now() - begun) / 1000).toFixed(2)} s`
    const opening = workerInfo({ ...job.worker_info, startup })
    const verdict = await followJob(running, log, { ...job, timers: limits, opening }, signal)
    // Large workspaces take a while to remove, and the log should not wait for that.
    const [outcome] = await Promise.all([closeLog(log, verdict, limits, signal), running.dispose()])
    return outcome
  } catch (error) {
    log.giveUp()
    throw error
  } finally {
    await running.dispose()
  }
}

async function findMachine(
  executor: Executor,
  spec: JobSpec,
  timers: Timers,
  signal: AbortSignal,
): Promise<{ running: Running } | { verdict: Verdict }> {
  try {
    return { running: await startMachine(executor, spec, { signal, timers }) }
  } catch (error) {
    if (signal.aborted) return { verdict: verdictOfAbort(signal.reason) }
    if (!(error instanceof StartError)) throw error
    if (error.blame === 'machine') return { verdict: { again: error.message } }
    return { verdict: { state: 'errored', text: couldNotStart(error.message) } }
  }
}

async function closeLog(
  log: LogWriter,
  verdict: Verdict,
  timers: Timers,
  signal: AbortSignal,
): Promise<Outcome> {
  if ('again' in verdict) {
    log.giveUp()
    return verdict
  }
  let stopTimer: (() => void) | undefined
  let lost = false
  // The signal is aborted only once: after a cancel nothing could tell us to give up.
  const stopListening = onAbort(signal, ({ kind }) => {
    lost = kind === 'taken'
    if (lost) log.giveUp()
    else stopTimer = timers.after(patience, () => log.giveUp())
  })
  const saved = await log.close(verdict.text)
  const found_version = log.foundVersion()
  const found = found_version === undefined ? {} : { found_version }
  stopListening()
  stopTimer?.()

  if (lost) return { again: taken }
  // A canceled job is not to run again, not even for its log.
  if (saved || verdict.state === 'canceled') return { state: verdict.state, ...found }
  return { again: 'its log could not be saved' }
}
