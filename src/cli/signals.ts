import { once } from 'node:events'
import { performance } from 'node:perf_hooks'

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes

/** npm forwards a Ctrl-C that the terminal has sent us already: milliseconds until another counts. */
const echoMilliseconds = 500

/**
 * Aborts when the process receives a signal to stop. Call it before anything is opened, so that all of
 * it is closed. A second signal ends the process at once.
 */
export function stopSignal(onSignal: (signal: StopSignal) => void): AbortSignal {
  const stop = new AbortController()
  let first = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) {
        if (performance.now() - first > echoMilliseconds) process.exit(exitCodes[signal])
        return
      }
      first = performance.now()
      onSignal(signal)
      stop.abort(signal)
    })
  }
  return stop.signal
}

/** Waits until the process receives a signal to stop. */
export async function stopped(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort')
}

/** Sets the exit code that the work returns, or that of the signal that interrupted it. */
export async function endAs(stop: AbortSignal, work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    // A Ctrl-C also reaches a git process that we wait for: failures after it are expected.
    if (!stop.aborted) throw error
  }
  if (stop.aborted) process.exitCode = exitCodes[stop.reason as StopSignal]
}
