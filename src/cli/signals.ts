import { once } from 'node:events'
import { performance } from 'node:perf_hooks'

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
type StopSignal = keyof typeof exitCodes

/** npm passes a Ctrl-C on that the terminal has sent us already: milliseconds until another counts. */
const echo = 500

/**
 * Aborts when the process is told to stop. Ask for it before anything is opened, so that whatever is
 * open is closed. A second signal ends the process at once.
 */
export function stopSignal(heard: (signal: StopSignal) => void): AbortSignal {
  const stop = new AbortController()
  let first = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) {
        if (performance.now() - first > echo) process.exit(exitCodes[signal])
        return
      }
      first = performance.now()
      heard(signal)
      stop.abort(signal)
    })
  }
  return stop.signal
}

/** Waits until the process is told to stop. */
export async function stopped(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort')
}

/** Makes the exit code of what the work answers, or of the signal that kept it from its end. */
export async function endAs(stop: AbortSignal, work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    // A Ctrl-C reaches the git that we wait for as well: what fails after it is no news.
    if (!stop.aborted) throw error
  }
  if (stop.aborted) process.exitCode = exitCodes[stop.reason as StopSignal]
}
