import type { LoginState } from '../../store/tables.ts'
import { type Answer, withCookie } from '../answer.ts'
import type { Call } from '../endpoint.ts'
import { loginForm } from '../pages/login/answers.tsx'
import { handshakePath, postMessagePath } from '../pages/paths.ts'
import { newState, stateCookie, stateIn } from './state.ts'

type Wanted = Pick<LoginState, 'way' | 'target'>

/** Asks for a token of ours with a form, and a cookie that only our own form is sent with. */
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

/** Whether a call was sent with that form. */
export function isFromForm(
  { ctx, request }: Pick<Call, 'ctx' | 'request'>,
  state: string,
): boolean {
  return state !== '' && stateIn(ctx.site, request.headers) === state
}
