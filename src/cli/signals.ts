import { once } from 'node:events'

/** `SIGPIPE` stands for a reader that has gone away; node turns that signal into errors of writing. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const
export type StopSignal = keyof typeof exitCodes

/** npm forwards a Ctrl-C that the terminal has sent us already: milliseconds until another counts. */
const echoMilliseconds = 500

let stopping: ((signal: StopSignal) => void) | undefined

/**
 * Aborts when the process receives a signal to stop: also when its terminal is closed, or whoever read
 * its output is gone. Call it before anything is opened, so that all of it is closed. A second
 * Ctrl-C ends the process at once.
 */
export function stopSignal(onSignal: (signal: StopSignal) => void): AbortSignal {
  const stop = new AbortController()
  let first = 0
  stopping = (signal) => {
    if (stop.signal.aborted) {
      const isRepeated = performance.now() - first > echoMilliseconds
      // The others come by themselves, several at once, while everything is being closed.
      if (isRepeated && (signal === 'SIGINT' || signal === 'SIGTERM')) {
        process.exit(exitCodes[signal])
      }
      return
    }
    first = performance.now()
    // First of all, since saying so may fail in its turn.
    stop.abort(signal)
    onSignal(signal)
  }
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => stopping?.(signal))
  }
  return stop.signal
}

/**
 * Handles errors of writing to a standard stream. A reader that has gone away (`… | head`) stops the
 * work, if it is of the kind that has to be stopped, and is no error for the rest.
 */
export function readerIsGone(error: NodeJS.ErrnoException): void {
  // A closed terminal is an error of input and output.
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  if (stopping) stopping('SIGPIPE')
  else process.exit(0)
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
