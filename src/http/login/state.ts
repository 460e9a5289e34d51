import { randomBytes } from 'node:crypto'
import type { Cookie } from '../cookie.ts'
import type { Site } from '../context.ts'

export const stateName = 'service.state-codehost'

const lifetime = 30 * 60

/** What a form and the cookie beside it have in common, so that no other site can send the form. */
export function newState(): string {
  return randomBytes(16).toString('base64url')
}

/** The cookie with that state, or one that removes it. In frames of other sites only `None` is sent. */
export function stateCookie(
  { prefix, url }: Site,
  state: string | null,
  sameSite: 'Lax' | 'None' = 'Lax',
): Cookie {
  return {
    name: stateName,
    value: state ?? '',
    path: `${prefix}/auth`,
    maxAge: state === null ? 0 : lifetime,
    sameSite,
    secure: url.startsWith('https:'),
  }
}
