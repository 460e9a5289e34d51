import { tooManyRequests } from '../domain/errors.ts'
import { refilling } from './refilling.ts'

/** How often an endpoint can be called. */
export interface Rate {
  /** Endpoints with the same name share what a caller has. */
  name: string
  calls: number
  seconds: number
  /** `anonymous` leaves callers with a token alone. */
  of: 'everyone' | 'anonymous'
}

/** Of any call of the API, where the operator wants it. */
export const anonymousCalls: Rate = {
  name: 'anonymous calls',
  calls: 500,
  seconds: 60,
  of: 'anonymous',
}
export const knownCalls: Rate = { name: 'calls', calls: 2000, seconds: 60, of: 'everyone' }

/** Of logs without a login: more than people read, less than a copy of everything takes (D21). */
export const anonymousLogs: Rate = {
  name: 'anonymous logs',
  calls: 600,
  seconds: 60,
  of: 'anonymous',
}

/** Of tokens for others, at whatever door: more than people log in, less than guessing takes (D21). */
export const tokenExchange: Rate = {
  name: 'token exchange',
  calls: 60,
  seconds: 300,
  of: 'everyone',
}

/** Of the steps of logins in browsers, which guess nothing: a whole office may log in from one address. */
export const browserLogins: Rate = {
  name: 'browser logins',
  calls: 1200,
  seconds: 300,
  of: 'everyone',
}

/** Of the code with which the app is registered: more than typing takes. */
export const setupCode: Rate = { name: 'setup code', calls: 30, seconds: 300, of: 'everyone' }

/** Each key pair keeps a thread busy for a second or more, and is made when it is first asked for. */
export const anonymousKeys: Rate = {
  name: 'anonymous keys',
  calls: 60,
  seconds: 300,
  of: 'anonymous',
}

/** Each uses up what the app can ask of the code host, which builds need as well. */
export const userSync: Rate = { name: 'user sync', calls: 30, seconds: 600, of: 'everyone' }

/** Each has its imports fetched, which builds need as well. */
export const previews: Rate = { name: 'previews', calls: 60, seconds: 600, of: 'everyone' }

/** They are made one after the other, for all repositories. */
export const keyRenewals: Rate = { name: 'key renewals', calls: 20, seconds: 300, of: 'everyone' }

export interface Rates {
  /** Counts a call of a network, or of a user. Throws when it has made all that it can make for now. */
  count(rate: Rate, caller: string): void
}

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
      if (allowance.left < 1) throw tooManyRequests((1 - allowance.left) / allowances.rate)
      allowance.left -= 1
    },
  }
}
