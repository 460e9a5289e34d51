import { CodehostError } from '../../../codehost/codehost.ts'
import {
  loginRequired,
  ServiceError,
  tokenInAddress,
  wrongCredentials,
} from '../../../domain/errors.ts'
import { exchangeCodehostToken } from '../../../flow/tokens/exchange-codehost-token.ts'
import { exchangeToken } from '../../../flow/tokens/exchange-token.ts'
import { isOurs } from '../../../secrets/token.ts'
import { type Answer, json, redirect, withHeaders } from '../../core/answer.ts'
import { post } from '../../core/endpoint.ts'
import { Refusal } from '../../core/refusal.ts'
import { tokenExchange } from '../../identity/rate-limits.ts'
import { insufficientAccessPath } from '../../pages/paths.ts'
import { text } from '../../parameters/kinds.ts'
import { answers } from '../openapi/answers.ts'
import { refusals } from '../refusals.ts'

/** Without an app (local mode), a token of this service replaces the code host's token. */
export const tokenExchangeEndpoints = [
  post('/auth/codehost', {
    open: true,
    negotiates: false,
    rate: tokenExchange,
    docs: {
      summary:
        'a new token in exchange for a code host token; in local mode, without an app, for a token of this service',
      schema: answers.accessToken,
      fails: ['login_required'],
      besides: { 303: { description: 'redirects to a page: the token lacks required scopes' } },
      example: { codehost_token: '$TOKEN' },
    },
    accepts: {
      codehost_token: text(
        'a token of the code host, or of this service in local mode; never in the query',
      ),
    },
    async answer({ ctx, request, query }, { codehost_token: token = '' }) {
      // A URL is written into logs on its way (D25).
      if (query.codehost_token !== undefined) throw tokenInAddress()
      if (token === '') {
        throw new ServiceError('unprocessable_entity', "Must pass 'codehost_token' parameter")
      }
      const address = request.ip
      const people = ctx.codehosts.codehost?.people
      // The code host must not see this service's tokens.
      if (!people || isOurs(token)) {
        return issued(await exchangeToken(ctx, { token, by: 'exchange', address }))
      }
      const { codehost, prefix } = ctx.site
      const exchange = { token, wanted: codehost.scopes, address }
      const outcome = await exchangeCodehostToken(ctx, people, exchange).catch(unresolved)
      if (outcome.kind === 'insufficient') {
        const page = insufficientAccessPath(prefix)
        return redirect(outcome.known ? `${page}#existing-user` : page, 303)
      }
      return issued(outcome.kind === 'issued' ? outcome : undefined)
    },
  }),
]

/** The response does not reveal whether a token is unknown or cannot be used. */
function issued(exchanged: { token: string } | undefined): Answer {
  if (!exchanged) throw new Refusal(wrongCredentials(), refusals.text('not a service user'))
  return withHeaders(json({ access_token: exchanged.token }), { 'cache-control': 'no-store' })
}

function unresolved(error: unknown): never {
  if (!(error instanceof CodehostError)) throw error
  throw new Refusal(loginRequired(), refusals.text('could not resolve codehost token'))
}
