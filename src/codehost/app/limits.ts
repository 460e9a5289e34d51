import { CodehostError } from '../codehost.ts'

type Headers = Readonly<Record<string, unknown>>

/** How many calls the code host allows each caller. */
export interface CallLimits {
  /** Records the limits reported in a response. */
  note(caller: string, headers: Headers): void
  /** Records for how many seconds no calls are allowed. */
  pause(caller: string, seconds: number): void
  /** Throws while no calls may be made: calls would prolong the pause. */
  check(caller: string, route: string): void
  /** Whether calls that can wait must wait: half of the hour's calls are reserved for calls that cannot. */
  isSpent(caller: string): boolean
}

interface Hour {
  used: number
  limit: number
  /** End of the hour, in milliseconds. */
  reset: number
}

export function createLimits(now: () => Date): CallLimits {
  const pausedUntil = new Map<string, number>()
  const hours = new Map<string, Hour>()

  /** Remaining pause in milliseconds. */
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
      const message = `the code host refuses calls for ${retryAfter} seconds (${route})`
      throw new CodehostError(message, { kind: 'limited', retryAfter })
    },
    isSpent(caller) {
      if (pauseOf(caller) > 0) return true
      const hour = hours.get(caller)
      return hour !== undefined && hour.reset > now().getTime() && hour.used * 2 >= hour.limit
    },
  }
}
