import { exchangeToken } from '../../../flow/exchange-token.ts'
import { allowedTarget, ownPath } from '../../allowed-target.ts'
import { type Answer, htmlType, redirect } from '../../answer.ts'
import { type Call, get, post } from '../../endpoint.ts'
import { comeBack, sendToCodehost } from '../../login/at-codehost.ts'
import { logInto } from '../../login/ways.ts'
import { askForToken, isFromForm } from '../../login/with-token.ts'
import {
  insufficientAccess,
  messageFrame,
  noLogins,
  targetNotAllowed,
} from '../../pages/login/answers.tsx'
import { loginPath } from '../../pages/paths.ts'
import { text } from '../../parameters/kinds.ts'
import type { Values } from '../../parameters/parameter.ts'
import { browserLogins, tokenExchange } from '../../rates.ts'
import { sessionIn } from '../../session.ts'

const asked = {
  redirect_uri: text('the page that gets the token'),
  origin: text('the origin of that page'),
  to: text('of a login to the pages of this service, where it leads'),
}
const brought = { ...asked, code: text(), state: text(), error: text() }
const sent = {
  ...asked,
  codehost_token: text('of this service; never in the query'),
  state: text(),
}

type Asked = Values<typeof asked>
type Brought = Values<typeof brought>
type Sent = Values<typeof sent>

/** The two ways in which a page gets the token. Without a target our own pages get a session. */
interface Way {
  way: 'form' | 'message'
  targetOf(call: Call, given: Asked): string | undefined
  /** Of a target that is not allowed. */
  refusal: 401 | 403
}

const byForm: Way = {
  way: 'form',
  targetOf: (_call, { redirect_uri, origin }) => redirect_uri ?? origin,
  refusal: 401,
}

/** The page that opened this one may be known by `Referer` alone; our own form names it. */
const byMessage: Way = {
  way: 'message',
  targetOf: ({ request }, { redirect_uri, origin }) =>
    redirect_uri ?? origin ?? request.headers.referer ?? '',
  refusal: 403,
}

const steps = { open: true, negotiates: false, rate: browserLogins } as const
const page = { types: [htmlType] }
/** Each of these can lead elsewhere, or say on a page why there is no login. */
const pages = {
  ...page,
  besides: {
    302: { description: 'leads to the code host, or to a page of this service' },
    401: { description: 'no login', type: htmlType },
    403: { description: 'no login', type: htmlType },
  },
}
const asks = { ...pages, summary: 'a page that asks for a login, or leads to the code host' }

/** What a login is to lead to; undefined if that is not allowed. */
function wantedBy(call: Call, { way, targetOf }: Way, given: Asked) {
  const { site } = call.ctx
  const target = targetOf(call, given)
  if (target !== undefined) {
    const allowed = allowedTarget(site, target)
    return allowed && { way, target: allowed.href }
  }
  return { way: 'session', target: ownPath(site, given.to ?? '') ?? null } as const
}

/** Where there is no app, or it is not wanted, a token of ours stands for a login at the code host. */
async function ask(call: Call, way: Way, given: Asked): Promise<Answer> {
  const { codehosts, site } = call.ctx
  const { codehost } = codehosts
  const wanted = wantedBy(call, way, given)
  if (!wanted) return targetNotAllowed(call, way.refusal)
  if (call.params.provider === 'local') return askForToken(call, wanted)
  if (codehost) {
    const logins = codehost.people?.logins
    return logins ? sendToCodehost(call, logins, wanted) : noLogins(call)
  }
  if (wanted.way === 'session') return redirect(loginPath(site.prefix, wanted.target ?? undefined))
  return askForToken(call, wanted)
}

function takeWith(way: Way) {
  return {
    ...steps,
    rate: tokenExchange,
    docs: { ...pages, summary: 'hands a login over; only the form of this service can send it' },
    accepts: sent,
    async answer(call: Call, given: Sent): Promise<Answer> {
      const wanted = wantedBy(call, way, given)
      if (!wanted) return targetNotAllowed(call, way.refusal)
      const { codehost_token: token = '', state = '' } = given
      // No address contains a token (D25), so none is taken from one.
      if (call.query.codehost_token !== undefined || !isFromForm(call, state)) {
        return askForToken(call, wanted, 'This form has expired. Enter your token again.')
      }
      const { ctx, request } = call
      const isSession = wanted.way === 'session'
      const issued = await exchangeToken(ctx, {
        token,
        by: isSession ? 'login' : 'handshake',
        session: isSession ? sessionIn(ctx.site, request.headers) : undefined,
        address: request.ip,
      })
      if (!issued) return askForToken(call, wanted, 'This token is not valid.')
      return logInto(call, { ...wanted, ...issued })
    },
  }
}

export const handshakeEndpoints = [
  get(['/auth/handshake', '/auth/handshake/:provider(^(?:codehost|github|local)$)'], {
    ...steps,
    docs: { ...asks, fails: ['not_found'] },
    accepts: brought,
    async answer(call: Call, given: Brought): Promise<Answer> {
      const { code, state, error } = given
      const people = call.ctx.codehosts.codehost?.people
      const isBack = code !== undefined || error !== undefined
      return isBack && people
        ? comeBack(call, people, { code, state, error })
        : ask(call, byForm, given)
    },
  }),
  post('/auth/handshake', takeWith(byForm)),

  get('/auth/post_message', {
    ...steps,
    docs: asks,
    accepts: asked,
    async answer(call: Call, given: Asked): Promise<Answer> {
      if (!call.ctx.codehosts.codehost?.people?.logins) return ask(call, byMessage, given)
      const target = allowedTarget(call.ctx.site, byMessage.targetOf(call, given) ?? '')
      return target ? messageFrame(call, target) : targetNotAllowed(call, byMessage.refusal)
    },
  }),
  get('/auth/post_message/iframe', {
    ...steps,
    docs: asks,
    accepts: asked,
    answer: (call: Call, given: Asked) => ask(call, byMessage, given),
  }),
  post('/auth/post_message', takeWith(byMessage)),

  get('/auth/insufficient_access', {
    open: true,
    negotiates: false,
    docs: { ...page, summary: 'says what a token of the code host has to be for' },
    answer: (call) => insufficientAccess(call),
  }),
]
