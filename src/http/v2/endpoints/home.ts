import { signingKey } from '../../../flow/secrets/service-keys.ts'
import { json } from '../../core/answer.ts'
import { get } from '../../core/endpoint.ts'
import { streamingAddress } from '../../core/streaming.ts'
import { codehostApi } from '../../identity/codehost-api.ts'
import { answers } from '../openapi/answers.ts'

export const homeEndpoints = [
  get('/', {
    negotiates: false,
    open: true,
    docs: { summary: 'says hello', schema: answers.hello },
    answer: () => json({ hello: 'world' }),
  }),

  get('/config', {
    docs: { summary: 'how to connect', schema: answers.config },
    negotiates: false,
    open: true,
    async answer({ ctx }) {
      const { site } = ctx
      const { public_key } = await signingKey(ctx)
      return json({
        config: {
          host: new URL(site.url).host + site.prefix,
          shorten_host: null,
          assets: {},
          streaming: streamingAddress(ctx),
          codehost: { api_url: codehostApi(ctx), scopes: site.codehost.scopes },
          notifications: { webhook: { public_key } },
        },
      })
    },
  }),
]
