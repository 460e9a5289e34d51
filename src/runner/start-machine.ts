import { type Executor, type JobSpec, type Running, StartError } from './executor.ts'
import type { Timers } from './timers.ts'

const minutes = 4

/**
 * Starts the job on the executor, within the time limit for a machine. Throws a StartError, or the
 * signal's reason. A machine that comes up after the limit or the signal is disposed of.
 */
export async function startMachine(
  executor: Executor,
  spec: JobSpec,
  { signal, timers }: { signal: AbortSignal; timers: Timers },
): Promise<Running> {
  signal.throwIfAborted()
  const late = new AbortController()
  const stopTimer = timers.after(minutes * 60_000, () =>
    late.abort(new StartError('machine', `no machine was ready within ${minutes} minutes`)),
  )
  const either = AbortSignal.any([signal, late.signal])
  const starting = executor.start(spec, either)
  try {
    return await unlessAborted(starting, either)
  } catch (error) {
    starting.then(
      (running) => running.dispose(),
      () => {},
    )
    throw error
  } finally {
    stopTimer()
  }
}

/** Settles as the promise does, or rejects with the reason of the signal if that is aborted first. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // It can still fail after the signal.
  promise.catch(() => {})
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
