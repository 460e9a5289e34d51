import type { Executor, Probe, Running } from '../../src/runner/executor.ts'

const found: Probe = {
  ok: true,
  says: 'does nothing',
  isolation: 'sandbox',
  enforces: { memory: true, cpu: true, processes: true, disk: true, no_network: true },
  warnings: [],
}

export interface IdleExecutor {
  executor: Executor
  /** Lets the jobs that are started end, and from now on every one at once. */
  release(): void
  /** Lets jobs go on until they are released. */
  hold(): void
}

/**
 * An executor whose machines are up at once and do nothing. `started` is called when the first line
 * of a job would be read: the service has recorded by then that the job is started.
 */
export function createExecutor(started: () => void): IdleExecutor {
  let held: { promise: Promise<void>; end(): void } | undefined

  const output: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        started()
        await held?.promise
        return { done: true, value: undefined }
      },
    }),
  }

  return {
    release() {
      held?.end()
      held = undefined
    },
    hold() {
      let end: (() => void) | undefined
      const promise = new Promise<void>((resolve) => {
        end = resolve
      })
      held = { promise, end: () => end?.() }
    },
    executor: {
      name: 'process',
      probe: async () => found,
      start: async (): Promise<Running> => ({
        output,
        wait: async () => ({ kind: 'exited', code: 0 }),
        terminate: async () => {},
        kill: async () => {},
        dispose: async () => {},
      }),
      tryOut: async () => undefined,
      reap: async () => [],
      close: async () => {},
    },
  }
}
