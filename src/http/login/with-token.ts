import type { LoginState } from '../../store/tables.ts'
import { type Answer, withCookie } from '../core/answer.ts'
import type { Call } from '../core/endpoint.ts'
import { loginForm } from '../pages/login/answers.tsx'
import { handshakePath, postMessagePath } from '../pages/paths.ts'
import { newState, stateCookie, stateIn } from './state.ts'

type Wanted = Pick<LoginState, 'way' | 'target'>

/** Shows a form that asks for a token of this service, with a cookie that proves that the form is its own. */
export function askForToken(call: Call, { way, target }: Wanted, problem?: string): Answer {
  const { site } = call.ctx
  const state = newState()
  const path = way === 'message' ? postMessagePath : handshakePath
  const wanted = target === null ? {} : { [way === 'session' ? 'to' : 'redirect_uri']: target }
  const form = {
    action: path(site.prefix),
    hidden: { ...wanted, state },
    target: way === 'session' || target === null ? undefined : new URL(target),
    ...(problem === undefined ? {} : { problem }),
  }
  return withCookie(loginForm(call, form), stateCookie(site, state))
}

/** Whether a call was sent with the form of `askForToken`. */
export function isFromForm(
  { ctx, request }: Pick<Call, 'ctx' | 'request'>,
  state: string,
): boolean {
  return state !== '' && stateIn(ctx.site, request.headers) === state
}
