import type { Endpoint } from '../core/endpoint.ts'

/** The ways to send a token, which are the same in both generations. */
export const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`token <access token>`; `Bearer <access token>` is the same',
  },
  basic: { type: 'http', scheme: 'basic', description: 'the access token as the user name' },
}

const withToken = [{ token: [] }, { basic: [] }]

/** The security requirement of an endpoint: a required or an optional token. */
export function securityOf({ admission }: Endpoint): object[] {
  return admission.login ? withToken : [{}, ...withToken]
}
