/** The remaining allowance of one caller. */
export interface RateAllowance {
  left: number
  /** Time at which `left` was correct, in milliseconds. */
  at: number
}

interface Terms<T> {
  /** The maximum that a caller can use in a burst, and in each period. */
  most: number
  seconds: number
  /** Initial state to keep with a caller's allowance. */
  fresh(): T
  /** Whether this state can be dropped once the allowance is full. */
  isIdle(kept: T): boolean
}

/** Number of remembered callers at which callers with a full allowance are dropped. */
const mostCallers = 10_000

/** The allowances of callers, by their keys, which refill evenly. Each process has its own. */
export function refilling<T extends object>(now: () => Date, terms: Terms<T>) {
  const { most, seconds, fresh, isIdle } = terms
  const callers = new Map<string, RateAllowance & T>()
  /** Allowance added per millisecond. */
  const rate = most / (seconds * 1000)

  function refill(caller: RateAllowance & T, at: number): RateAllowance & T {
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
    of(key: string): RateAllowance & T {
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
