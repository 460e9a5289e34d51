import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Viewer } from '../../access/viewer.ts'
import { ServiceError } from '../../domain/errors.ts'
import { useToken } from '../../flow/tokens/use-token.ts'
import type { HttpContext, Site } from '../core/context.ts'
import type { Given } from '../parameters/nest.ts'
import type { Cookie } from './cookie.ts'
import { siteCookie, siteCookieIn } from './site-cookie.ts'

const name = 'service.session'

/** Seconds after which a browser forgets a session; the service ends unused sessions sooner. */
const lifetime = 90 * 24 * 60 * 60

/** Form field of the token that keeps other sites from submitting the form. */
export const formTokenName = 'form_token'

/** The session in a browser's cookie, valid or not. */
export function sessionIn(site: Site, headers: IncomingHttpHeaders): string | undefined {
  return siteCookieIn(site, headers, name)
}

/** The cookie of a session, or one that removes it. It is also sent when a user follows a link here. */
export function sessionCookie(site: Site, session: string | null): Cookie {
  return siteCookie(site, { name, value: session, path: '/', lifetime, sameSite: 'Lax' })
}

/** The viewer of the session in a browser's cookie; undefined without a valid session. */
export async function sessionViewer(
  ctx: Pick<HttpContext, 'db' | 'now' | 'config' | 'site'>,
  headers: IncomingHttpHeaders,
): Promise<Viewer | undefined> {
  const session = sessionIn(ctx.site, headers)
  if (session === undefined || session === '') return
  const viewer = await useToken(ctx, session, 'session')
  return viewer && { ...viewer, form_token: formTokenOf(session) }
}

/** Throws if a call is made with a session, and not by a form of its pages. */
export function checkForm(
  { form_token }: Viewer,
  given: Given,
  headers: IncomingHttpHeaders,
): void {
  if (form_token === undefined) return
  // Browsers that send it name the site of the page that sends a form.
  const { 'sec-fetch-site': from = 'same-origin' } = headers
  const isOwn = from === 'same-origin' || from === 'none'
  if (!isOwn || !isSame(form_token, given[formTokenName])) throw otherSession()
}

/** Throws if a form was made for a session, and is sent without one. */
export function checkSessionGoesOn({ form_token }: Viewer, given: Given): void {
  if (form_token === undefined && (given[formTokenName] ?? '') !== '') throw otherSession()
}

function otherSession(): ServiceError {
  const message = 'this form was not made for your session: load the page again'
  return new ServiceError('insufficient_access', message)
}

/** A hash of the session, which no script can read; it cannot be derived from the stored hash. */
function formTokenOf(session: string): string {
  return createHash('sha256').update(`form of ${session}`).digest('base64url')
}

function isSame(wanted: string, given: unknown): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
