/** Time as the runner sees it, so that a test can stop the clock. */
export interface Timers {
  /** Milliseconds that only ever grow. */
  now(): number
  /** Calls back once, `ms` from now, unless the returned function is called before. */
  after(ms: number, call: () => void): () => void
}

// Node fires at once when it is asked to wait longer than this (about 25 days).
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
