import type { FastifyInstance, InjectOptions } from 'fastify'
import { readConfig } from '../../src/config/config.ts'
import type { Rates } from '../../src/http/identity/rate-limits.ts'
import { siteOf } from '../../src/service/site.ts'
import type { TestContext } from '../support/context.ts'

/** The same context, of an installation that lives below the path `/ci`. */
export function prefixed(ctx: TestContext): TestContext {
  const config = readConfig({ DATA_DIR: '/nowhere', PUBLIC_URL: 'https://x.example.org/ci' })
  return { ...ctx, site: siteOf(config, 3000) }
}

/** For more calls from one address than are allowed to one. */
export const unlimited: Rates = { count: () => ({ limit: 1, remaining: 1, reset: 0 }) }

/** Calls as `GET /path`, and returns everything that came back. */
export function caller(server: FastifyInstance) {
  return (
    call: string,
    headers: Record<string, string> = {},
    payload?: InjectOptions['payload'],
  ) => {
    const [method, url = '/'] = call.split(' ', 2)
    return server.inject({
      method: method as 'GET',
      url,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
  }
}
