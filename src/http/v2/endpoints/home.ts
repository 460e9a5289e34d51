import { json } from '../../answer.ts'
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
    answer({ ctx: { site } }) {
      const { key, host, port, path, scheme, private: closed } = site.streaming
      return json({
        config: {
          host: new URL(site.url).host + site.prefix,
          shorten_host: null,
          assets: {},
          streaming: { key, host, port, path, scheme, private: closed },
          codehost: { api_url: site.codehost.api_url, scopes: site.codehost.scopes },
          // Notifications are not sent by this version, so there is nothing to verify them with.
          notifications: { webhook: { public_key: null } },
        },
      })
    },
  }),
]
