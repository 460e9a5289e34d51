import type { Caller } from './authenticate.ts'
import { Refusal } from './reply.ts'
import type { World } from './world.ts'

/** Counts the calls of each caller within its hour. */
export interface Limits {
  /** The headers with the number of calls left. Throws when there are none. Those of GraphQL are apart. */
  count(caller: Caller, resource?: Resource): Record<string, string>
  /** Takes a call back that was not to be counted. */
  forgive(caller: Caller): Record<string, string>
}

export type Resource = 'core' | 'graphql'

interface Hour {
  used: number
  /** In seconds. */
  reset: number
}

const hour = 60 * 60

export function createLimits(world: World): Limits {
  const hours = new Map<string, Hour>()

  function hourOf(caller: Caller, resource: Resource = 'core'): Hour {
    const key = `${resource} ${nameOf(caller)}`
    const seconds = Math.floor(world.now().getTime() / 1000)
    const known = hours.get(key)
    if (known && known.reset > seconds) return known
    const begun = { used: 0, reset: seconds + hour }
    hours.set(key, begun)
    return begun
  }

  return {
    count(caller, resource) {
      const current = hourOf(caller, resource)
      if (current.used >= world.rateLimit) {
        throw primaryLimit(headersOf(world, current, resource), nameOf(caller))
      }
      current.used += 1
      return headersOf(world, current, resource)
    },
    forgive(caller) {
      const current = hourOf(caller)
      current.used -= 1
      return headersOf(world, current)
    },
  }
}

function nameOf(caller: Caller): string {
  if (caller.kind === 'installation') return `installation ID ${caller.installation.id}`
  return caller.kind === 'user' ? `user ID ${caller.user.id}` : caller.kind
}

function headersOf(
  { rateLimit }: World,
  { used, reset }: Hour,
  resource: Resource = 'core',
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rateLimit),
    'x-ratelimit-remaining': String(Math.max(rateLimit - used, 0)),
    'x-ratelimit-used': String(Math.min(used, rateLimit)),
    'x-ratelimit-reset': String(reset),
    'x-ratelimit-resource': resource,
  }
}

/** The response for callers without calls left. */
export function primaryLimit(headers: Record<string, string>, name: string): Refusal {
  return new Refusal({ status: 403, message: `API rate limit exceeded for ${name}.`, headers })
}

/** The response for too many calls at once, even with calls left. */
export function secondaryLimit(status: 403 | 429, retryAfter: number): Refusal {
  return new Refusal({
    status,
    message:
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    headers: { 'retry-after': String(retryAfter) },
  })
}
