import type { User } from '../../domain/owner.ts'
import type { LoginState } from '../../store/tables.ts'
import { ownPath } from '../allowed-target.ts'
import { type Answer, redirect, withCookie } from '../answer.ts'
import type { Site } from '../context.ts'
import type { Call } from '../endpoint.ts'
import { handover, message } from '../pages/login/answers.tsx'
import { homePath } from '../pages/paths.ts'
import { sessionCookie } from '../session.ts'
import { presentUser } from '../v2/present/user.ts'
import { stateCookie } from './state.ts'

/** Whom a token was issued to. */
interface LoggedIn {
  way: LoginState['way']
  /** An allowed address; of a session a path of ours, or null. */
  target: string | null
  user: User
  token: string
}

/** Hands a login over, as it was asked for. Whatever began it cannot be used again. */
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

/** The user without tokens of feeds and pages: those for feeds are shown once, where they are made. */
const handedOver = (user: User) => ({
  ...presentUser(user),
  token: null,
  rss_token: null,
  web_token: null,
})

/** Where a login to our own pages leads: to this path without the prefix, or to all pages. */
export function nextPage(site: Site, path: string | null): string {
  const own = ownPath(site, path ?? '')
  return own === undefined ? homePath(site.prefix) : `${site.prefix}${own}`
}
