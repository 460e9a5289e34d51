import { type Quota, tooManyRequests } from '../../domain/errors.ts'
import { refilling } from './token-bucket.ts'

/** The limit of calls to an endpoint. */
export interface Rate {
  /** Endpoints with the same name share a caller's allowance. */
  name: string
  calls: number
  seconds: number
  /** `anonymous` exempts callers with a token. */
  of: 'everyone' | 'anonymous'
}

/** Limits of all calls of the API, if the operator enables them. */
export const anonymousCalls: Rate = {
  name: 'anonymous calls',
  calls: 500,
  seconds: 60,
  of: 'anonymous',
}
export const knownCalls: Rate = { name: 'calls', calls: 2000, seconds: 60, of: 'everyone' }

/** Limit of log reads without a login: more than people need, less than copying everything takes (D21). */
export const anonymousLogs: Rate = {
  name: 'anonymous logs',
  calls: 600,
  seconds: 60,
  of: 'anonymous',
}

/** Limit of exchanging tokens, at any endpoint: more than logins need, less than guessing takes (D21). */
export const tokenExchange: Rate = {
  name: 'token exchange',
  calls: 60,
  seconds: 300,
  of: 'everyone',
}

/** Limit of browser login steps, which allow no guessing: a whole office may log in from one address. */
export const browserLogins: Rate = {
  name: 'browser logins',
  calls: 1200,
  seconds: 300,
  of: 'everyone',
}

/** Limit of entering the code that registers the app: more than typing takes. */
export const setupCode: Rate = { name: 'setup code', calls: 30, seconds: 300, of: 'everyone' }

/** Each key pair keeps a thread busy for a second or more, and is generated on first request. */
export const anonymousKeys: Rate = {
  name: 'anonymous keys',
  calls: 60,
  seconds: 300,
  of: 'anonymous',
}

/** Each sync uses up the app's quota at the code host, which builds need as well. */
export const userSync: Rate = { name: 'user sync', calls: 30, seconds: 600, of: 'everyone' }

/** Each preview fetches its imports from the code host, at the expense of builds. */
export const previews: Rate = { name: 'previews', calls: 60, seconds: 600, of: 'everyone' }

/** Keys are generated one after the other, for all repositories. */
export const keyRenewals: Rate = { name: 'key renewals', calls: 20, seconds: 300, of: 'everyone' }

export interface Rates {
  /** Counts a call of a network, or of a user. Throws when the caller's allowance is used up. */
  count(rate: Rate, caller: string): Quota
}

/** The headers that tell clients of a limit before they reach it. */
export const quotaHeaders = ({ limit, remaining, reset }: Quota) => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': reset,
})

/** Counts calls, each process for itself. */
export function openRates(now: () => Date): Rates {
  const byName = new Map<string, ReturnType<typeof refilling<object>>>()

  function allowancesOf({ name, calls, seconds }: Rate) {
    const known = byName.get(name)
    if (known) return known
    const terms = { most: calls, seconds, fresh: () => ({}), isIdle: () => true }
    const created = refilling<object>(now, terms)
    byName.set(name, created)
    return created
  }

  return {
    count(rate, caller) {
      const allowances = allowancesOf(rate)
      const allowance = allowances.of(caller)
      const isRefused = allowance.left < 1
      if (!isRefused) allowance.left -= 1
      const quota = {
        limit: rate.calls,
        remaining: Math.floor(allowance.left),
        reset: Math.ceil((rate.calls - allowance.left) / allowances.rate / 1000),
      }
      if (isRefused) throw tooManyRequests((1 - allowance.left) / allowances.rate, quota)
      return quota
    },
  }
}
