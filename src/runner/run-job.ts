import type { FinalState } from '../domain/job/job.ts'
import { inColour } from '../domain/log/log-colours.ts'
import { clearLine, foldMarker } from '../domain/log/log-markers.ts'
import { couldNotStart } from '../texts/log-endings.ts'
import { type Executor, type JobSpec, type Running, StartError } from './executor.ts'
import { followJob, type RunLimits } from './follow-job.ts'
import type { Sink } from './log-queue.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import { createJobMasker } from './masking/job-masker.ts'
import { startMachine } from './start-machine.ts'
import { systemTimers, type Timers } from './timers.ts'
import { type Again, onAbort, taken, type Verdict, verdictOfAbort } from './verdict.ts'

// How long a stopped job may still try to save its log.
const patience = 30_000
/** How long a lost job may try to save its log: another attempt waits for it. */
const patienceOfLost = 5000

export interface JobRun {
  spec: JobSpec
  /** Values that must not appear in the log, in any of their usual forms. */
  secrets: readonly string[]
  /** Nonce for secrets that the program hands over as bash evaluates them; null or absent if none. */
  mask_nonce?: string | null
  limits: RunLimits
  /** Text above all output in the log; may be empty. */
  heading?: string
  /** Facts for the fold at the top of the log. */
  worker_info: Readonly<Record<string, string>>
  /** Saves log parts. Called again with the same parts when it rejects. */
  sink: Sink
  /** Called when the machine is up. False means that the job is no longer ours. */
  started: () => Promise<boolean>
  /** Ends the grace time of a job that is being stopped: the runner does not wait for it. */
  stopping?: AbortSignal
  /** Whether somebody reads the log right now. */
  isWatched?: () => boolean
  timers?: Timers
}

/** How a job ended, or why it must be retried; see `taken` and `stopped`. */
export type JobOutcome =
  | {
      state: FinalState
      found_version?: string
      reason?: string
      image?: string | undefined
      /** The id to which the name of the image resolved. */
      image_id?: string | undefined
    }
  | Again

/**
 * Runs a job on a machine of any executor and writes its log. The reason of the signal is an
 * AbortReason. When the job must run again, the log of this attempt gets no final part. Throws only
 * errors of `started` and errors caused by bugs; nothing of the job runs then either.
 */
export async function runJob(
  executor: Executor,
  job: JobRun,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const timers = job.timers ?? systemTimers
  const log = createLogWriter({
    masker: createJobMasker(job.secrets, job.mask_nonce ?? null),
    limit: job.limits.log_bytes,
    sink: job.sink,
    timers,
    isWatched: job.isWatched,
  })
  const limits = awakeTimers(timers)
  const begun = timers.now()
  const machine = await findMachine(executor, job.spec, limits, signal)
  if ('verdict' in machine) return closeLog(log, machine.verdict, limits, signal)

  const { running } = machine
  try {
    const startup = `${((timers.now() - begun) / 1000).toFixed(2)} s`
    const opening = `${job.heading ?? ''}${workerInfo({ ...job.worker_info, startup })}`
    const verdict = await followJob(running, log, { ...job, timers: limits, opening }, signal)
    // Large workspaces take a while to remove, and the log should not wait for that.
    const [outcome] = await Promise.all([closeLog(log, verdict, limits, signal), running.dispose()])
    if ('again' in outcome) return outcome
    const image = running.image?.()
    return { ...outcome, image: image?.name, image_id: image?.id }
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

/** Keeps the log of a lost attempt readable to its end. */
async function saveRest(log: LogWriter, timers: Timers): Promise<void> {
  const stopTimer = timers.after(patienceOfLost, () => log.giveUp())
  await log.save()
  stopTimer()
}

async function closeLog(
  log: LogWriter,
  verdict: Verdict,
  timers: Timers,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if ('again' in verdict) {
    if (verdict.again !== taken) await saveRest(log, timers)
    log.giveUp()
    return verdict
  }
  let stopTimer: (() => void) | undefined
  let lost = false
  // The signal is aborted only once: after a cancel, no later abort could make the log give up.
  const stopListening = onAbort(signal, ({ kind }) => {
    lost = kind === 'taken'
    if (lost) log.giveUp()
    else stopTimer = timers.after(patience, () => log.giveUp())
  })
  const saved = await log.close(verdict.text)
  const found_version = log.foundVersion()
  const reason = verdict.state === 'errored' ? log.reason() : undefined
  const found = {
    ...(found_version === undefined ? {} : { found_version }),
    ...(reason === undefined ? {} : { reason }),
  }
  stopListening()
  stopTimer?.()

  if (lost) return { again: taken }
  // A canceled job is not to run again, not even for its log.
  if (saved || verdict.state === 'canceled') return { state: verdict.state, ...found }
  return { again: 'its log could not be saved' }
}

const tick = 1000
const longestDelay = 5000

/**
 * Timers that count only time in which this process runs, not time in which the machine was suspended or
 * the process stopped. They detect such a pause by a tick that comes much too late, and never expire on
 * such a tick, so that events of the pause are handled first.
 */
export function awakeTimers(timers: Timers): Timers {
  return {
    now: () => timers.now(),

    after(ms, call) {
      let stop: () => void
      function wait(left: number): void {
        const asked = Math.min(left, tick)
        const begun = timers.now()
        stop = timers.after(asked, () => {
          const passed = timers.now() - begun
          if (passed > asked + longestDelay) return wait(Math.max(left - asked, asked))
          if (passed >= left) return call()
          wait(left - passed)
        })
      }
      wait(ms)
      return () => stop()
    },
  }
}

const fold = 'worker_info'

/** Facts about the machine, folded away at the top of the log. */
function workerInfo(facts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}\r\n`)
  return [
    foldMarker('start', fold) + clearLine,
    `${inColour('yellow', 'Worker information')}\r\n`,
    ...lines,
    foldMarker('end', fold) + clearLine,
  ].join('')
}
