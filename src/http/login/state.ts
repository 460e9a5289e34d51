import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Site } from '../core/context.ts'
import type { Cookie } from '../identity/cookie.ts'
import { siteCookie, siteCookieIn } from '../identity/site-cookie.ts'

const name = 'service.state-codehost'

const lifetime = 30 * 60

/** A random value in both a form and a cookie, so that no other site can submit the form. */
export function newState(): string {
  return randomBytes(16).toString('base64url')
}

/** The cookie with that state, or one that removes it. In frames of other sites only `None` is sent. */
export function stateCookie(
  site: Site,
  state: string | null,
  sameSite: 'Lax' | 'None' = 'Lax',
): Cookie {
  return siteCookie(site, { name, value: state, path: '/auth', lifetime, sameSite })
}

/** The state that a browser was given; undefined if there is none. */
export function stateIn(site: Site, headers: IncomingHttpHeaders): string | undefined {
  return siteCookieIn(site, headers, name)
}
