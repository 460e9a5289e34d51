import { loginRequired, ServiceError, wrongCredentials } from '../../../domain/errors.ts'
import { exchangeToken } from '../../../flow/exchange-token.ts'
import { json, withHeaders } from '../../answer.ts'
import { post } from '../../endpoint.ts'
import { text } from '../../parameters/kinds.ts'
import { tokenExchange } from '../../rates.ts'
import { Refusal } from '../../refusal.ts'
import { answers } from '../openapi/answers.ts'
import { refusals } from '../refusals.ts'

/** In local mode one of our own tokens stands for that of the code host. */
export const tokenExchangeEndpoints = [
  post('/auth/codehost', {
    open: true,
    negotiates: false,
    rate: tokenExchange,
    docs: {
      summary: 'a new token for that of the code host',
      schema: answers.accessToken,
      fails: ['login_required'],
    },
    accepts: { codehost_token: text() },
    async answer({ ctx, request }, { codehost_token: token = '' }) {
      if (token === '') {
        throw new ServiceError('unprocessable_entity', "Must pass 'codehost_token' parameter")
      }
      // Logins through the app are not built yet, so that no token of the code host can be checked.
      if (ctx.codehosts.codehost) {
        throw new Refusal(loginRequired(), refusals.text('could not resolve codehost token'))
      }
      const issued = await exchangeToken(ctx, { token, by: 'exchange', address: request.ip })
      if (!issued) throw new Refusal(wrongCredentials(), refusals.text('not a service user'))
      return withHeaders(json({ access_token: issued.token }), { 'cache-control': 'no-store' })
    },
  }),
]
