import { signingKey } from '../../../flow/notify/signing-key.ts'
import { json } from '../../answer.ts'
import { codehostApi } from '../../codehost-api.ts'
import { get } from '../../endpoint.ts'
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
      const { key, host, port, path, scheme, private: closed } = site.streaming
      return json({
        config: {
          host: new URL(site.url).host + site.prefix,
          shorten_host: null,
          assets: {},
          streaming: { key, host, port, path, scheme, private: closed },
          codehost: { api_url: codehostApi(ctx), scopes: site.codehost.scopes },
          notifications: { webhook: { public_key } },
        },
      })
    },
  }),
]
