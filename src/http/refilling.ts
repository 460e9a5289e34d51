/** What one caller has left. */
export interface Allowance {
  left: number
  /** Milliseconds, when `left` was right. */
  at: number
}

interface Terms<T> {
  /** What a caller can take at once, and in each period. */
  most: number
  seconds: number
  /** What is kept beside the allowance of a caller. */
  fresh(): T
  /** Whether that can be forgotten once the allowance is full. */
  isIdle(kept: T): boolean
}

/** So many callers are remembered at most before those are forgotten that have all they can have. */
const mostCallers = 10_000

/** The allowances of callers, by their keys, which refill evenly. Each process has its own. */
export function refilling<T extends object>(now: () => Date, terms: Terms<T>) {
  const { most, seconds, fresh, isIdle } = terms
  const callers = new Map<string, Allowance & T>()
  /** What each millisecond adds. */
  const rate = most / (seconds * 1000)

  function refill(caller: Allowance & T, at: number): Allowance & T {
    caller.left = Math.min(most, caller.left + Math.max(0, at - caller.at) * rate)
    caller.at = at
    return caller
  }

  function forgetFull(at: number): void {
    for (const [key, caller] of callers) {
      if (refill(caller, at).left >= most && isIdle(caller)) callers.delete(key)
    }
  }

  return {
    rate,
    of(key: string): Allowance & T {
      const at = now().getTime()
      const known = callers.get(key)
      if (known) return refill(known, at)
      if (callers.size >= mostCallers) forgetFull(at)
      const caller = { ...fresh(), left: most, at }
      callers.set(key, caller)
      return caller
    },
  }
}
