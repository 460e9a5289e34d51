import type { Logins, People } from '../../codehost/codehost.ts'
import { beginLogin, logIn } from '../../flow/tokens/log-in.ts'
import type { LoginState } from '../../store/tables.ts'
import { type Answer, redirect, withCookie, withHeaders } from '../core/answer.ts'
import type { Site } from '../core/context.ts'
import type { Call } from '../core/endpoint.ts'
import { allowedTarget } from '../identity/allowed-target.ts'
import { sessionIn } from '../identity/session.ts'
import { loginFailed, targetNotAllowed } from '../pages/login/answers.tsx'
import { handshakePath, homePath } from '../pages/paths.ts'
import { stateCookie, stateIn } from './state.ts'
import { logInto } from './ways.ts'

/** Sends the browser to the code host, which sends it back to this service. */
export async function sendToCodehost(
  call: Call,
  logins: Logins,
  { way, target }: Pick<LoginState, 'way' | 'target'>,
): Promise<Answer> {
  const { ctx } = call
  const callback = callbackOf(ctx.site)
  const { address, state } = await beginLogin(ctx, logins, { way, target, callback })
  const sameSite = way === 'message' ? 'None' : 'Lax'
  return withCookie(unstored(redirect(address)), stateCookie(ctx.site, state, sameSite))
}

/** The parameters with which the code host sends the browser back. */
export interface Brought {
  code: string | undefined
  state: string | undefined
  /** The reason why there is no code. */
  error: string | undefined
}

/** Ends a login of the browser that began it, or redirects to the home page. */
export async function comeBack(
  call: Call,
  people: People,
  { code, state = '', error }: Brought,
): Promise<Answer> {
  const { ctx, request } = call
  const { site } = ctx
  const elsewhere = () =>
    withCookie(unstored(redirect(homePath(site.prefix))), stateCookie(site, null))
  // With another user's state, one of the two users would be logged in as the other.
  if (state === '' || stateIn(site, request.headers) !== state) return elsewhere()
  const outcome = await logIn(ctx, people, {
    state,
    code,
    callback: callbackOf(site),
    isAllowed: (target) => allowedTarget(site, target) !== undefined,
    session: sessionIn(site, request.headers),
    address: request.ip,
  })
  if (outcome.kind === 'expired') return elsewhere()
  if (outcome.kind === 'unallowed') {
    return withCookie(targetNotAllowed(call, 401), stateCookie(site, null))
  }
  if (outcome.kind !== 'logged_in') {
    const isOdd = outcome.kind === 'declined' && error !== 'access_denied'
    if (isOdd) ctx.log.warn({ reason: error }, 'the code host did not log anyone in')
    const failed = loginFailed(call, isOdd ? 'unresolved' : outcome.kind)
    return withCookie(failed, stateCookie(site, null))
  }
  return unstored(logInto(call, outcome))
}

/** The callback URL registered with the app, which is the same for all logins. */
function callbackOf({ url }: Site): string {
  return `${url}${handshakePath('')}`
}

function unstored(answer: Answer): Answer {
  return withHeaders(answer, { 'cache-control': 'no-store' })
}
