import { once } from 'node:events'

/** `SIGPIPE` means that the reader is gone; node turns that signal into write errors. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const
export type StopSignal = keyof typeof exitCodes

/**
 * npm forwards a Ctrl-C that the terminal has sent already: another one counts only after these milliseconds.
 */
const echoMilliseconds = 500

let stopping: ((signal: StopSignal) => void) | undefined

/**
 * Aborts when the process receives a signal to stop, when its terminal is closed, or when the reader of
 * its output is gone. Call it before opening anything, so that everything is closed. A second Ctrl-C
 * ends the process immediately.
 */
export function stopSignal(onSignal: (signal: StopSignal) => void): AbortSignal {
  const stop = new AbortController()
  let first = 0
  stopping = (signal) => {
    if (stop.signal.aborted) {
      const isRepeated = performance.now() - first > echoMilliseconds
      // Other signals arrive automatically, several at once, while everything is being closed.
      if (isRepeated && (signal === 'SIGINT' || signal === 'SIGTERM')) {
        process.exit(exitCodes[signal])
      }
      return
    }
    first = performance.now()
    // Abort first, because the callback may fail.
    stop.abort(signal)
    onSignal(signal)
  }
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => stopping?.(signal))
  }
  return stop.signal
}

/**
 * Handles write errors of a standard stream. A missing reader (`… | head`) stops work that can be
 * stopped, and ends other programs without an error.
 */
export function readerIsGone(error: NodeJS.ErrnoException): void {
  // A closed terminal causes an I/O error.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  if (stopping) stopping('SIGPIPE')
  else process.exit(0)
}

/** Waits until the process receives a signal to stop. */
export async function stopped(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) await once(stop, 'abort')
}

/** Sets the exit code that the work returns, or the code of the signal that interrupted it. */
export async function endAs(stop: AbortSignal, work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    // A Ctrl-C also reaches a git process that we wait for: failures after it are expected.
    if (!stop.aborted) throw error
  }
  if (stop.aborted) process.exitCode = exitCodes[stop.reason as StopSignal]
}
