import { exchangeToken } from '../../../flow/tokens/exchange-token.ts'
import { type Answer, htmlType, redirect } from '../../core/answer.ts'
import { type Call, get, post } from '../../core/endpoint.ts'
import { allowedTarget, ownPath } from '../../identity/allowed-target.ts'
import { browserLogins, tokenExchange } from '../../identity/rate-limits.ts'
import { sessionIn } from '../../identity/session.ts'
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

const asked = {
  redirect_uri: text('the page that gets the token'),
  origin: text('the origin of that page'),
  to: text('the page that a login to this service leads to'),
}
const brought = { ...asked, code: text(), state: text(), error: text() }
const sent = {
  ...asked,
  codehost_token: text('a token of this service; never in the query'),
  state: text(),
}

type Asked = Values<typeof asked>
type Brought = Values<typeof brought>
type Sent = Values<typeof sent>

/** The two ways to hand the token over to a page. Without a target the service's own pages get a session. */
interface Way {
  way: 'form' | 'message'
  targetOf(call: Call, given: Asked): string | undefined
  /** Status for a target that is not allowed. */
  refusal: 401 | 403
}

const byForm: Way = {
  way: 'form',
  targetOf: (_call, { redirect_uri, origin }) => redirect_uri ?? origin,
  refusal: 401,
}

/** The opening page may be known by `Referer` alone; the service's own form names it. */
const byMessage: Way = {
  way: 'message',
  targetOf: ({ request }, { redirect_uri, origin }) =>
    redirect_uri ?? origin ?? request.headers.referer ?? '',
  refusal: 403,
}

const steps = { open: true, negotiates: false, rate: browserLogins } as const
const page = { types: [htmlType] }
/** Each of these endpoints redirects, or shows a page with the reason why there is no login. */
const pages = {
  ...page,
  besides: {
    302: { description: 'redirects to the code host, or to a page of this service' },
    401: { description: 'no login', type: htmlType },
    403: { description: 'no login', type: htmlType },
  },
}
const asks = { ...pages, summary: 'a page that asks for a login, or redirects to the code host' }
/** Responses of `asks` for paths that name a provider, which can be unknown. */
const asksIfKnown = {
  ...asks,
  besides: { ...pages.besides, 404: { description: 'no such provider', type: htmlType } },
}

/** The target of a login and how it gets the token; undefined if the target is not allowed. */
function wantedBy(call: Call, { way, targetOf }: Way, given: Asked) {
  const { site } = call.ctx
  const target = targetOf(call, given)
  if (target !== undefined) {
    const allowed = allowedTarget(site, target)
    return allowed && { way, target: allowed.href }
  }
  return { way: 'session', target: ownPath(site, given.to ?? '') ?? null } as const
}

/** Without an app, or if it is not wanted, a token of this service replaces the login at the code host. */
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
    docs: { ...pages, summary: 'completes a login; only the form of this service can send it' },
    accepts: sent,
    async answer(call: Call, given: Sent): Promise<Answer> {
      const wanted = wantedBy(call, way, given)
      if (!wanted) return targetNotAllowed(call, way.refusal)
      const { codehost_token: token = '', state = '' } = given
      // URLs must not contain tokens (D25), so none is accepted from a URL.
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

const handshake = {
  ...steps,
  accepts: brought,
  async answer(call: Call, given: Brought): Promise<Answer> {
    const { code, state, error } = given
    const people = call.ctx.codehosts.codehost?.people
    const isBack = code !== undefined || error !== undefined
    return isBack && people
      ? comeBack(call, people, { code, state, error })
      : ask(call, byForm, given)
  },
}

export const handshakeEndpoints = [
  get('/auth/handshake', { ...handshake, docs: asks }),
  get('/auth/handshake/:provider(^(?:codehost|github|local)$)', {
    ...handshake,
    docs: asksIfKnown,
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
    docs: { ...page, summary: 'lists the scopes that a code host token must have' },
    answer: (call) => insufficientAccess(call),
  }),
]
