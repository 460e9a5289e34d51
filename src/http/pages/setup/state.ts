import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Sealer } from '../../../secrets/seal.ts'
import { isSameSecret } from '../../../secrets/signature.ts'
import type { Site } from '../../core/context.ts'
import type { Cookie } from '../../identity/cookie.ts'
import { siteCookie, siteCookieIn } from '../../identity/site-cookie.ts'
import { setupPath } from '../paths.ts'

const name = 'service.setup-state'

/** Seconds in which the app must be registered; the code host's own code is valid for the same time. */
const lifetime = 60 * 60

const record = { type: 'setup', id: 'state' }

/** State that the browser brings back from the code host; only given to users with the setup code. */
export function newState(sealer: Sealer, now: Date): string {
  const random = randomBytes(16).toString('base64url')
  return sealer.sealText(record, JSON.stringify({ at: now.getTime(), random }))
}

/** Whether this browser was given this state within the last hour. */
export function isStateOf(
  { sealer, now }: { sealer: Sealer; now: () => Date },
  state: string,
  cookie: string | undefined,
): boolean {
  if (cookie === undefined || !isSameSecret(state, cookie)) return false
  try {
    const { at } = JSON.parse(sealer.openText(record, state)) as { at: number }
    return now().getTime() - at < lifetime * 1000
  } catch {
    return false
  }
}

/** The cookie with that state, or one that removes it. */
export function stateCookie(site: Site, state: string | null): Cookie {
  return siteCookie(site, { name, value: state, path: setupPath(''), lifetime, sameSite: 'Lax' })
}

/** The state that a browser was given; undefined if there is none. */
export function stateIn(site: Site, headers: IncomingHttpHeaders): string | undefined {
  return siteCookieIn(site, headers, name)
}
