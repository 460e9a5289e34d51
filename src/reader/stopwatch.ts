import { ownThread, threadTime } from './thread-time.ts'

/** Memory that the thread of a task shares with the one that waits for it. */
export type SharedClock = SharedArrayBuffer

export const newClock = (): SharedClock => new SharedArrayBuffer(24)

const views = (clock: SharedClock) => ({
  /** Whether the task has begun; until then it waits for a thread. */
  state: new Int32Array(clock, 0, 1),
  /** Number of the thread, and its time when the task began. */
  begun: new Float64Array(clock, 8, 2),
})

/** Starts the clock in the thread that does the task; returns what reads it there. */
export function startClock(clock: SharedClock): () => number {
  const { state, begun } = views(clock)
  const thread = ownThread()
  const start = threadTime(thread)
  begun.set([thread, start])
  Atomics.store(state, 0, 1)
  return () => threadTime(thread) - start
}

/** Milliseconds of computing time so far, as any thread sees it. */
export function readClock(clock: SharedClock): number {
  const { state, begun } = views(clock)
  if (Atomics.load(state, 0) === 0) return 0
  const [thread = 0, start = 0] = begun
  return threadTime(thread) - start
}
