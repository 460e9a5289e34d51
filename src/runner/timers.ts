/** The runner's clock, so that a test can stop time. */
export interface Timers {
  /** Monotonic time in milliseconds. */
  now(): number
  /** Calls back once, `ms` from now, unless the returned function is called before. */
  after(ms: number, call: () => void): () => void
}

// Node fires immediately when a delay is longer than this (about 25 days).
const longest = 2 ** 31 - 1

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, call) {
    let timer: NodeJS.Timeout
    const wait = (left: number) => {
      timer =
        left > longest ? setTimeout(() => wait(left - longest), longest) : setTimeout(call, left)
    }
    wait(ms)
    return () => clearTimeout(timer)
  },
}
