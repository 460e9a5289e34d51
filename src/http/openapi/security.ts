import type { Endpoint } from '../endpoint.ts'

/** The ways in which a token is sent, the same in both generations. */
export const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: '`token <access token>`; `Bearer <access token>` is the same',
  },
  basic: { type: 'http', scheme: 'basic', description: 'the access token is the user’s name' },
}

const withToken = [{ token: [] }, { basic: [] }]

/** Whether a token is needed, or just possible. */
export function securityOf({ admission }: Endpoint): object[] {
  return admission.login ? withToken : [{}, ...withToken]
}
