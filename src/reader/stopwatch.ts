import { readFileSync, readlinkSync } from 'node:fs'

/** Memory shared by the thread of a task and the thread that waits for the task. */
export type SharedClock = SharedArrayBuffer

export const newClock = (): SharedClock => new SharedArrayBuffer(24)

const views = (clock: SharedClock) => ({
  /** Whether the task has begun; until then it waits for a thread. */
  state: new Int32Array(clock, 0, 1),
  /** The system's id of the thread, and the thread's time when the task began. */
  begun: new Float64Array(clock, 8, 2),
})

/** Starts the clock in the thread that does the task; returns a function that reads it there. */
export function startClock(clock: SharedClock): () => number {
  const { state, begun } = views(clock)
  const thread = ownThread()
  const start = threadTime(thread)
  begun.set([thread, start])
  Atomics.store(state, 0, 1)
  return () => threadTime(thread) - start
}

/** Milliseconds of computing time so far; can be called in any thread. */
export function readClock(clock: SharedClock): number {
  const { state, begun } = views(clock)
  if (Atomics.load(state, 0) === 0) return 0
  const [thread = 0, start = 0] = begun
  return threadTime(thread) - start
}

/** The system's id of the calling thread; 0 where the system does not list threads (not Linux). */
function ownThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return 0
  }
}

/**
 * Computing time of a thread of this process in milliseconds, so that other load on the machine does not
 * count. Where the system does not report it, the time of day.
 */
function threadTime(thread: number): number {
  return computed(thread) ?? performance.timeOrigin + performance.now()
}

function computed(thread: number): number | undefined {
  if (thread === 0) return undefined
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6 || undefined
  } catch {
    return undefined
  }
}
