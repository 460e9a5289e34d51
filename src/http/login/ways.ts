import type { User } from '../../domain/owner.ts'
import type { LoginState } from '../../store/tables.ts'
import { type Answer, redirect, withCookie } from '../core/answer.ts'
import type { Site } from '../core/context.ts'
import type { Call } from '../core/endpoint.ts'
import { ownPath } from '../identity/allowed-target.ts'
import { sessionCookie } from '../identity/session.ts'
import { handover, message } from '../pages/login/answers.tsx'
import { homePath } from '../pages/paths.ts'
import { presentUser } from '../v2/present/user.ts'
import { stateCookie } from './state.ts'

/** A login: its user, token and target. */
interface LoggedIn {
  way: LoginState['way']
  /** An allowed URL; for a session a path of this service, or null. */
  target: string | null
  user: User
  token: string
}

/** Hands a login over in the requested way. The state that began the login cannot be used again. */
export function logInto(call: Call, { way, target, user, token }: LoggedIn): Answer {
  const { site } = call.ctx
  const done = (answer: Answer, sameSite: 'Lax' | 'None' = 'Lax') =>
    withCookie(answer, stateCookie(site, null, sameSite))
  if (way === 'session') {
    return done(withCookie(redirect(nextPage(site, target)), sessionCookie(site, token)))
  }
  const given = { target: new URL(target ?? ''), token, user: handedOver(user) }
  return way === 'form' ? done(handover(call, given)) : done(message(call, given), 'None')
}

/** The user without tokens for feeds and pages: feed tokens are shown only once, when they are made. */
const handedOver = (user: User) => ({
  ...presentUser(user),
  token: null,
  rss_token: null,
  web_token: null,
})

/** The target of a login to this service's pages: the given path (without the prefix), or the home page. */
export function nextPage(site: Site, path: string | null): string {
  const own = ownPath(site, path ?? '')
  return own === undefined ? homePath(site.prefix) : `${site.prefix}${own}`
}
