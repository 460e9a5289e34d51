import type { VNode } from 'preact'
import { html, withHeaders } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import { frameOf } from '../frame.ts'
import { messageFramePath } from '../paths.ts'
import { renderPage } from '../render-page.ts'
import { Handover, LoginForm, LoginRefused, Message, MessageFrame } from './page.tsx'

interface FormGiven {
  action: string
  hidden: Record<string, string>
  /** The page that gets a token; undefined for a login to this service's own pages. */
  target: URL | undefined
  problem?: string
}

/**
 * A form that asks for a token, either for a page of the target's origin or for the pages of this service.
 */
export function loginForm({ ctx: { site } }: Call, form: FormGiven) {
  const { target, ...shown } = form
  const origin = target?.origin
  return page(<LoginForm {...shown} origin={origin} frame={frameOf(site)} />, {
    status: shown.problem === undefined ? 200 : 403,
    ...(origin === undefined ? {} : { ancestors: origin }),
  })
}

interface LoggedIn {
  target: URL
  token: string
  /** The user in the form that clients read. */
  user: object
}

/** Sends the token to the target in a form. */
export function handover({ ctx: { site } }: Call, { target, token, user }: LoggedIn) {
  const props = { target: target.href, token, user: JSON.stringify(user) }
  return page(<Handover {...props} frame={frameOf(site)} />, { sentTo: target.origin })
}

/** Sends the token in a message to a window of the target's origin. */
export function message({ ctx: { site } }: Call, { target, token, user }: LoggedIn) {
  const { origin } = target
  const props = { origin, token, user: JSON.stringify(user) }
  return page(<Message {...props} frame={frameOf(site)} />, { ancestors: `'self' ${origin}` })
}

/** A page that tries a login within its own frame, for a window of the target's origin. */
export function messageFrame({ ctx: { site } }: Call, target: URL) {
  const source = messageFramePath(site.prefix)
  const query = new URLSearchParams({ origin: target.origin })
  const { origin } = new URL(site.codehost.web_url)
  return page(<MessageFrame source={`${source}?${query}`} frame={frameOf(site)} />, {
    ancestors: target.origin,
    framed: origin,
  })
}

export function targetNotAllowed({ ctx: { site } }: Call, status: 401 | 403) {
  const text = {
    title: 'target URI not allowed',
    reason: 'This redirect URL is not allowed.',
    advice: 'Its origin must be listed in the setting ALLOWED_ORIGINS of this service.',
  }
  return page(<LoginRefused {...text} frame={frameOf(site)} />, { status })
}

/** The page for an app without the settings that logins need. */
export function noLogins({ ctx: { site } }: Call) {
  const { missing } = site.login
  const verb = missing.length > 1 ? 'are' : 'is'
  const text = {
    title: 'No logins',
    reason: `The settings ${missing.join(' and ')} ${verb} missing, so no one can log in.`,
    advice: 'An administrator of the service can create a token: build-service token --user LOGIN.',
  }
  return page(<LoginRefused {...text} frame={frameOf(site)} />, { status: 401 })
}

const failures = {
  declined: {
    status: 401,
    title: 'Not logged in',
    reason: 'You declined the login at the code host.',
    advice: 'To log in after all, start again.',
  },
  unresolved: {
    status: 401,
    title: 'could not resolve codehost token',
    reason: 'The code host did not say who you are.',
    advice:
      'Try again in a moment. If that does not help, the log of this service says what went wrong.',
  },
  refused: {
    status: 403,
    title: 'not a service user',
    reason: 'This account is not allowed to log in here.',
    advice:
      'Users can log in if they can see a repository that the app is installed on, or if an administrator ' +
      'has listed them in ALLOWED_LOGINS or ALLOWED_ORGANIZATIONS.',
  },
} as const

/** A page that explains why a login failed. */
export function loginFailed({ ctx: { site } }: Call, kind: keyof typeof failures) {
  const { status, ...text } = failures[kind]
  return page(<LoginRefused {...text} frame={frameOf(site)} />, { status })
}

/** The page for clients whose code host token lacks required scopes. */
export function insufficientAccess({ ctx: { site } }: Call) {
  const text = {
    title: 'insufficient access',
    reason: 'Your code host token lacks required scopes.',
    advice: `Create a token with the scopes ${site.codehost.scopes.join(', ')}.`,
  }
  return page(<LoginRefused {...text} frame={frameOf(site)} />, { status: 200 })
}

interface Policy {
  status?: number
  /** The origin that a form of the page is sent to, if not the service's own. */
  sentTo?: string
  /** The origins of pages that can embed this one. */
  ancestors?: string
  /** The origin, in addition to the service's own, of the content of a frame in this page. */
  framed?: string
}

/** A page with one script of this service, under its own policy. It is not cached. */
function page<Props>(
  content: VNode<Props>,
  { status = 200, sentTo = "'self'", ancestors = "'none'", framed }: Policy,
) {
  return withHeaders(html(renderPage(content), status), {
    'content-security-policy':
      `default-src 'none';style-src 'self';script-src 'self';img-src 'self' data:;` +
      `base-uri 'none';form-action ${sentTo};frame-ancestors ${ancestors}` +
      (framed === undefined ? '' : `;frame-src 'self' ${framed}`),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  })
}
