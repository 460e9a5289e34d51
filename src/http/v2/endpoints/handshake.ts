import { exchangeToken } from '../../../flow/exchange-token.ts'
import { allowedTarget } from '../../allowed-target.ts'
import { type Answer, redirect, withCookie } from '../../answer.ts'
import { cookieIn } from '../../cookie.ts'
import { type Call, get, post } from '../../endpoint.ts'
import {
  handover,
  loginForm,
  message,
  noLogins,
  targetNotAllowed,
} from '../../pages/login/answers.tsx'
import { handshakePath, homePath, postMessagePath } from '../../pages/paths.ts'
import { text } from '../../parameters/kinds.ts'
import type { Values } from '../../parameters/parameter.ts'
import { tokenExchange } from '../../rates.ts'
import { presentUser } from '../present/user.ts'
import { newState, stateCookie, stateName } from '../handshake-state.ts'

const asked = { redirect_uri: text(), origin: text() }
const sent = { ...asked, codehost_token: text(), state: text() }

type Asked = Values<typeof asked>
type Sent = Values<typeof sent>

/** The two ways in which a page gets the token. */
interface Way {
  path(prefix: string): string
  targetOf(call: Call, given: Asked): string | undefined
  /** Of a target that is not allowed. */
  refusal: 401 | 403
  give: typeof handover
}

const byForm: Way = {
  path: handshakePath,
  targetOf: (_call, { redirect_uri, origin }) => redirect_uri ?? origin,
  refusal: 401,
  give: handover,
}

/** The page that opened this one may be known by `Referer` alone. */
const byMessage: Way = {
  path: postMessagePath,
  targetOf: ({ request }, { origin }) => origin ?? request.headers.referer ?? '',
  refusal: 403,
  give: message,
}

const page = 'text/html;charset=utf-8'

/** In local mode one of our own tokens stands for a login at the code host. */
function askWith(way: Way) {
  return {
    open: true,
    negotiates: false,
    docs: {
      summary: 'a page that asks for a login',
      types: [page],
      fails: ['login_required'] as const,
    },
    accepts: asked,
    answer(call: Call, given: Asked): Answer {
      const { site, codehosts } = call.ctx
      if (codehosts.codehost) return noLogins(call)
      const wanted = way.targetOf(call, given)
      // Pages have no logins yet, so that without a target there is nothing to log in for.
      if (wanted === undefined) return redirect(homePath(site.prefix))
      const target = allowedTarget(site, wanted)
      return target ? asking(call, way, target) : targetNotAllowed(call, way.refusal)
    },
  }
}

function takeWith(way: Way) {
  return {
    open: true,
    negotiates: false,
    rate: tokenExchange,
    docs: { summary: 'hands a login over', types: [page], fails: ['login_required'] as const },
    accepts: sent,
    async answer(call: Call, given: Sent): Promise<Answer> {
      const { ctx, request } = call
      if (ctx.codehosts.codehost) return noLogins(call)
      const target = allowedTarget(ctx.site, given.redirect_uri ?? given.origin ?? '')
      if (!target) return targetNotAllowed(call, way.refusal)
      const { state = '', codehost_token: token = '' } = given
      if (state === '' || cookieIn(request.headers, stateName) !== state) {
        return asking(call, way, target, 'This form has expired. Enter your token again.')
      }
      const issued = await exchangeToken(ctx, { token, by: 'handshake', address: request.ip })
      if (!issued) return asking(call, way, target, 'This token is not valid.')
      const answer = way.give(call, { target, token: issued.token, user: presentUser(issued.user) })
      return withCookie(answer, stateCookie(ctx.site, null))
    },
  }
}

export const handshakeEndpoints = [
  get(
    ['/auth/handshake', '/auth/handshake/:provider(^(?:codehost|github|local)$)'],
    askWith(byForm),
  ),
  post('/auth/handshake', takeWith(byForm)),
  get(['/auth/post_message', '/auth/post_message/iframe'], askWith(byMessage)),
  post('/auth/post_message', takeWith(byMessage)),
]

/** The form, and a cookie that only our own form is sent with. */
function asking(call: Call, way: Way, target: URL, problem?: string): Answer {
  const { site } = call.ctx
  const state = newState()
  const form = {
    action: way.path(site.prefix),
    hidden: { redirect_uri: target.href, state },
    target,
    ...(problem === undefined ? {} : { problem }),
  }
  return withCookie(loginForm(call, form), stateCookie(site, state))
}
