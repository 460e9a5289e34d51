import type { VNode } from 'preact'
import { html, withHeaders } from '../../answer.ts'
import type { Call } from '../../endpoint.ts'
import { frameOf } from '../frame.ts'
import { renderPage } from '../render-page.ts'
import { Handover, LoginForm, LoginRefused, Message } from './page.tsx'

/** A form that asks for a token, for a page of the target's origin. */
export function loginForm(
  { ctx: { site } }: Call,
  form: { action: string; hidden: Record<string, string>; target: URL; problem?: string },
) {
  const { target, ...shown } = form
  const { origin } = target
  return page(<LoginForm {...shown} origin={origin} frame={frameOf(site)} />, {
    status: shown.problem === undefined ? 200 : 403,
    ancestors: origin,
  })
}

interface LoggedIn {
  target: URL
  token: string
  /** As clients read it. */
  user: object
}

/** Sends the token to the target in a form. */
export function handover({ ctx: { site } }: Call, { target, token, user }: LoggedIn) {
  const props = { target: target.href, token, user: JSON.stringify(user) }
  return page(<Handover {...props} frame={frameOf(site)} />, { sentTo: target.origin })
}

/** Sends it in a message to a window of the target's origin. */
export function message({ ctx: { site } }: Call, { target, token, user }: LoggedIn) {
  const { origin } = target
  const props = { origin, token, user: JSON.stringify(user) }
  return page(<Message {...props} frame={frameOf(site)} />, { ancestors: origin })
}

export function targetNotAllowed({ ctx: { site } }: Call, status: 401 | 403) {
  const text = {
    title: 'target URI not allowed',
    reason: 'The page that asked for a login is not one that this service hands logins over to.',
    advice: 'Its origin has to be listed in the setting ALLOWED_ORIGINS of this service.',
  }
  return page(<LoginRefused {...text} frame={frameOf(site)} />, { status })
}

/** For an installation with the app, whose logins are not built in this version. */
export function noLogins({ ctx: { site } }: Call) {
  const { missing } = site.login
  const settings = missing.length > 0 ? ` The settings ${missing.join(' and ')} are missing.` : ''
  const text = {
    title: 'No logins yet',
    reason: `This version cannot log users of the code host in.${settings}`,
    advice: 'An administrator of the service can create a token: build-service token --user LOGIN.',
  }
  return page(<LoginRefused {...text} frame={frameOf(site)} />, { status: 401 })
}

interface Policy {
  status?: number
  /** The origin that a form of the page is sent to, if not our own. */
  sentTo?: string
  /** The origin of pages that can embed this one. */
  ancestors?: string
}

/** A page with one script of ours, under a policy of its own. No cache keeps it. */
function page<Props>(
  content: VNode<Props>,
  { status = 200, sentTo = "'self'", ancestors = "'none'" }: Policy,
) {
  return withHeaders(html(renderPage(content), status), {
    'content-security-policy':
      `default-src 'none';style-src 'self';script-src 'self';img-src 'self' data:;` +
      `base-uri 'none';form-action ${sentTo};frame-ancestors ${ancestors}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  })
}
