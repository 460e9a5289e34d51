import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import {
  type Done,
  type Reader,
  ReadingLimit,
  type ReadingLimits,
  ReadingStopped,
} from './reader.ts'
import { newClock, readClock, type SharedClock } from './stopwatch.ts'
import type { Task } from './thread.ts'
import { openTurns } from './turns.ts'

const usualLimits: ReadingLimits = { time: 2000, megabytes: 128 }

/** One core stays free for answering calls. */
const usualThreads = Math.max(1, availableParallelism() - 1)

/** Milliseconds after which an idle thread ends, and its memory is returned. */
const idleTime = 30_000

/** Milliseconds between checks of running tasks. */
const interval = 50

export interface ReaderOptions {
  limits?: ReadingLimits
  threads?: number
  /** Receives the errors of threads that ended unexpectedly while idle. */
  onError(error: unknown): void
}

export interface OpenReader extends Reader {
  /** Aborts the work in progress and starts no more. */
  stop(): void
  close(): Promise<void>
}

/** A pool of threads, which start when there is work for them (docs/decisions/015). */
export function openReader({
  limits = usualLimits,
  threads = usualThreads,
  onError,
}: ReaderOptions): OpenReader {
  const filename = fileURLToPath(new URL(threadFile, import.meta.url))
  const pool = new Piscina({
    filename,
    name: 'doTask',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleTime,
    // Threads read untrusted files, so their environment has no secrets.
    env: {},
    execArgv: filename.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    recordTiming: false,
  })
  pool.on('error', onError)
  // The pool loses tasks in its own queue when its last thread is ended, so tasks wait here.
  const takeTurn = openTurns({ of_all: threads })
  const stopping = new AbortController()

  return {
    run: ({ module, name }, input, { turn, spent = 0 }) =>
      takeTurn(turn, async () => {
        if (stopping.signal.aborted) throw new ReadingStopped()
        const clock = newClock()
        const task: Task = { module, name, input, clock }
        const watch = watchClock(clock, limits.time - spent)
        const signal = AbortSignal.any([watch.signal, stopping.signal])
        try {
          return (await pool.run(task, { signal })) as Done<never>
        } catch (error) {
          if (stopping.signal.aborted) throw new ReadingStopped()
          throw limitOf(error, clock, watch.signal, limits) ?? error
        } finally {
          watch.end()
        }
      }),
    stop: () => stopping.abort(),
    close: () => pool.destroy(),
  }
}

/** In tests the sources run uncompiled. */
const threadFile = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js'

/** Returns a signal that aborts when the clock exceeds the limit; the pool then ends the thread. */
function watchClock(clock: SharedClock, limit: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  if (limit <= 0) controller.abort()
  const timer = setInterval(() => {
    if (readClock(clock) > limit) controller.abort()
  }, interval)
  return { signal: controller.signal, end: () => clearInterval(timer) }
}

function limitOf(
  error: unknown,
  clock: SharedClock,
  { aborted }: AbortSignal,
  { time, megabytes }: ReadingLimits,
): ReadingLimit | undefined {
  if (aborted) {
    const reason = `it takes more than ${time / 1000} s of computing time to read`
    return new ReadingLimit(`${reason}: ${advice}`, time)
  }
  if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return undefined
  const reason = `it takes more than ${megabytes} MB of memory to read`
  return new ReadingLimit(`${reason}: ${advice}`, Math.min(readClock(clock), time))
}

const advice = 'make the build file shorter, or its lists and its matrix smaller'
