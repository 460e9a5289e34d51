import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Cookie } from '../cookie.ts'
import type { Site } from '../context.ts'
import { siteCookie, siteCookieIn } from '../site-cookie.ts'

const name = 'service.state-codehost'

const lifetime = 30 * 60

/** What a form and the cookie beside it have in common, so that no other site can send the form. */
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

/** The state that a browser was given; undefined without one. */
export function stateIn(site: Site, headers: IncomingHttpHeaders): string | undefined {
  return siteCookieIn(site, headers, name)
}
