import { logTooLong, ranTooLong, wasSilent } from '../texts/log-endings.ts'
import { createTail, type Tail } from './ending.ts'
import type { JobSpec, Running } from './executor.ts'
import type { LogWriter } from './log-writer.ts'
import type { Timers } from './timers.ts'
import { onAbort, taken, type Verdict, verdictOfAbort, verdictOfExit } from './verdict.ts'

export interface RunLimits {
  /** Limit for the whole job, from the start of the first step. */
  hard_seconds: number
  /** Limit for the time without a byte of output. */
  silence_seconds: number
  log_bytes: number
  /**
   * Time between TERM and KILL for a job that is canceled, or that ran too long or was silent. Without it
   * such a job is killed immediately.
   */
  grace_seconds?: number
}

export interface Followed {
  spec: JobSpec
  limits: RunLimits
  timers: Timers
  /** Called when the machine is up; false means that the job is no longer ours. */
  started: () => Promise<boolean>
  /** Ends a grace time, when it is aborted. */
  stopping?: AbortSignal
  /** Text at the beginning of the log. */
  opening: string
}

/**
 * Copies the output of a running job to its log until the job ends, or until there is a reason to end
 * it. The first reason counts. With some reasons the job has its grace time, in which its output is still
 * copied; any other reason cuts that time short.
 */
export async function followJob(
  running: Running,
  log: LogWriter,
  job: Followed,
  signal: AbortSignal,
): Promise<Verdict> {
  const { limits, timers } = job
  const tail = createTail()
  let verdict: Verdict | undefined
  let killed = false
  let stopGrace: (() => void) | undefined
  let stopHurry: (() => void) | undefined

  function stop(reason: Verdict): void {
    if (!verdict && 'again' in reason && reason.again === taken) log.giveUp()
    verdict ??= reason
    kill()
  }

  function stopGently(reason: Verdict): void {
    const { grace_seconds = 0 } = limits
    if (grace_seconds === 0) return stop(reason)
    if (verdict) return
    verdict = reason
    stopGrace = timers.after(grace_seconds * 1000, kill)
    void running.terminate()
    if (job.stopping) stopHurry = onAbort(job.stopping, kill)
  }

  function kill(): void {
    if (killed) return
    killed = true
    log.cut()
    void running.kill()
  }

  const stopTimer = timers.after(limits.hard_seconds * 1000, () =>
    stopGently({ state: 'errored', text: ranTooLong(limits.hard_seconds) }),
  )
  const stopListening = onAbort(signal, (reason) => {
    const end = reason.kind === 'canceled' ? stopGently : stop
    end(verdictOfAbort(reason))
  })
  try {
    if (!(await job.started())) stop({ again: taken })
    await copyOutput(running, log, { ...job, tail }, { stop, stopGently })
    const exit = await running.wait()
    return verdict ?? verdictOfExit(exit, job.spec, tail.text())
  } finally {
    stopTimer()
    stopGrace?.()
    stopHurry?.()
    stopListening()
  }
}

type Stop = (reason: Verdict) => void

async function copyOutput(
  running: Running,
  log: LogWriter,
  { limits, timers, opening, tail }: Followed & { tail: Tail },
  { stop, stopGently }: { stop: Stop; stopGently: Stop },
): Promise<void> {
  const tooLong = { state: 'errored', text: logTooLong(limits.log_bytes) } as const
  const tooSilent = { state: 'errored', text: wasSilent(limits.silence_seconds) } as const
  // Runs only while the runner waits for the job: a job held up by the runner is not silent.
  const listen = () => timers.after(limits.silence_seconds * 1000, () => stopGently(tooSilent))

  let stopListening: (() => void) | undefined
  try {
    if (!(await log.write(Buffer.from(opening)))) stop(tooLong)
    stopListening = listen()
    for await (const bytes of running.output) {
      stopListening()
      tail.add(bytes)
      if (!(await log.write(bytes))) stop(tooLong)
      stopListening = listen()
    }
  } catch (error) {
    stop({ again: `the job's output could not be read: ${String(error)}` })
  } finally {
    stopListening?.()
  }
}
