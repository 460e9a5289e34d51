import type { Executor, Exit, JobSpec, Probe, Running } from '../../src/runner/executor.ts'

/** A machine that a test controls. */
export interface FakeMachine {
  executor: Executor
  /** The calls so far, in order. */
  done: string[]
  /** The number of pieces of output that were read. */
  read(): number
  print(text: string): void
  exit(exit: Exit | number): void
  /** Completes `start`: the machine is up, or the given error is thrown. */
  comeUp(error?: Error): void
  /** Makes reading fail, as when an engine breaks its connection off. */
  breakOff(error: Error): void
}

/** An executor whose machine comes up, prints and ends as the test requests. */
export function createFakeMachine({
  up = true,
  isolation = 'sandbox',
  confines_root = true,
}: { up?: boolean } & Partial<Pick<Probe, 'isolation' | 'confines_root'>> = {}): FakeMachine {
  const done: string[] = []
  const lines: (string | Error)[] = []
  let read = 0
  let wake: (() => void) | undefined
  let end: Exit | undefined
  let terminated = false
  let settle: ((exit: Exit) => void) | undefined
  const ended = new Promise<Exit>((resolve) => {
    settle = resolve
  })
  let answer: ((error?: Error) => void) | undefined

  function finish(exit: Exit): void {
    end ??= terminated ? { kind: 'killed' } : exit
    wake?.()
  }

  async function* output(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const line = lines.shift()
      if (line instanceof Error) throw line
      if (line !== undefined) {
        read += 1
        yield Buffer.from(line)
        continue
      }
      if (end) return settle?.(end)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  const running: Running = {
    output: output(),
    wait: () => ended,
    async terminate() {
      done.push('terminate')
      terminated = true
    },
    async kill() {
      done.push('kill')
      lines.length = 0
      finish({ kind: 'killed' })
      settle?.({ kind: 'killed' })
    },
    async dispose() {
      done.push('dispose')
    },
  }

  const executor: Executor = {
    name: 'process',
    probe: async () => ({
      ok: true,
      says: 'jobs run on a machine of the test',
      isolation,
      confines_root,
      enforces: { memory: false, cpu: false, processes: false, disk: false, no_network: false },
      warnings: [],
    }),
    start(_spec: JobSpec, signal) {
      done.push('start')
      if (up) return Promise.resolve(running)
      signal.addEventListener('abort', () => done.push('called off'))
      return new Promise((resolve, reject) => {
        answer = (error) => (error ? reject(error) : resolve(running))
      })
    },
    tryOut: async () => undefined,
    reap: async () => [],
    close: async () => {},
  }

  return {
    executor,
    done,
    read: () => read,
    print(text) {
      lines.push(text)
      wake?.()
    },
    exit: (exit) => finish(typeof exit === 'number' ? { kind: 'exited', code: exit } : exit),
    comeUp: (error) => answer?.(error),
    breakOff(error) {
      lines.push(error)
      wake?.()
    },
  }
}
