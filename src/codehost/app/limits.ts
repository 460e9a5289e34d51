import { CodehostError } from '../codehost.ts'

type Headers = Readonly<Record<string, unknown>>

/** How many calls the code host allows each caller. */
export interface Limits {
  /** Notes what a response says. */
  note(caller: string, headers: Headers): void
  /** Notes that there may be no calls for so many seconds. */
  pause(caller: string, seconds: number): void
  /** Throws while there may be none: they would prolong that. */
  check(caller: string, route: string): void
  /** Whether none is to be made that can wait: half of those for this hour are left for what cannot. */
  isSpent(caller: string): boolean
}

interface Hour {
  used: number
  limit: number
  /** When it ends, in milliseconds. */
  reset: number
}

export function createLimits(now: () => Date): Limits {
  const pausedUntil = new Map<string, number>()
  const hours = new Map<string, Hour>()

  /** In milliseconds. */
  function pauseOf(caller: string): number {
    return (pausedUntil.get(caller) ?? 0) - now().getTime()
  }

  return {
    note(caller, headers) {
      const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
        Number(headers[`x-ratelimit-${name}`]),
      )
      if (!limit || remaining === undefined || !reset) return
      hours.set(caller, { used: limit - remaining, limit, reset: reset * 1000 })
    },
    pause(caller, seconds) {
      pausedUntil.set(caller, now().getTime() + seconds * 1000)
    },
    check(caller, route) {
      const left = pauseOf(caller)
      if (left <= 0) return
      const retryAfter = Math.ceil(left / 1000)
      const message = `the code host allows no calls for ${retryAfter} seconds (${route})`
      throw new CodehostError(message, { kind: 'limited', retryAfter })
    },
    isSpent(caller) {
      if (pauseOf(caller) > 0) return true
      const hour = hours.get(caller)
      return hour !== undefined && hour.reset > now().getTime() && hour.used * 2 >= hour.limit
    },
  }
}
