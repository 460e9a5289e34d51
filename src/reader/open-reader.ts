import { fileURLToPath } from 'node:url'
import { availableParallelism } from 'node:os'
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

/** One core stays free for whoever answers calls. */
const usualThreads = Math.max(1, availableParallelism() - 1)

/** Milliseconds after which an idle thread ends, and its memory is returned. */
const idleTime = 30_000

/** How often running tasks are looked at. */
const interval = 50

export interface ReaderOptions {
  limits?: ReadingLimits
  threads?: number
  /** Hears of threads that ended by themselves while they had nothing to do. */
  onError(error: unknown): void
}

export interface OpenReader extends Reader {
  /** Ends what is being read, and reads nothing more. */
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
    // Files of anyone are read there: no secret needs to be near them.
    env: {},
    execArgv: filename.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
    resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    recordTiming: false,
  })
  pool.on('error', onError)
  // What waits in the pool itself is forgotten when the last thread is ended.
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

/** Sources run as they are in tests. */
const threadFile = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js'

/** Gives a signal, upon which the pool ends the thread, when the clock shows more than the limit. */
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
