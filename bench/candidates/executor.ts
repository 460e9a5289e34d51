import type { Executor, Running } from '../../src/runner/executor.ts'

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
  let end = Promise.resolve()
  let release = () => {}

  async function* output(): AsyncGenerator<Uint8Array> {
    started()
    await end
  }

  return {
    release: () => release(),
    hold() {
      end = new Promise((resolve) => {
        release = resolve
      })
    },
    executor: {
      name: 'process',
      probe: () => Promise.reject(new Error('nobody asks')),
      start: async (): Promise<Running> => ({
        output: output(),
        wait: async () => ({ kind: 'exited', code: 0 }),
        kill: async () => {},
        dispose: async () => {},
      }),
      reap: async () => [],
      close: async () => {},
    },
  }
}
