import type { FastifyPluginAsync } from 'fastify'
import { isAnswer, json, withMembers } from '../answer.ts'
import { authenticate, tokenEnd } from '../authenticate.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { apiGeneration } from '../generation.ts'
import { type ApiOptions, mount } from '../mount.ts'
import { prefixOf } from '../prefix.ts'
import { send } from '../send.ts'
import { shownBy } from './action.ts'
import { checkIncluded } from './included.ts'
import { indent, jsonTypeFor } from './json-type.ts'
import { isPresented } from './presented.ts'
import { renderPresented } from './render-presented.ts'
import { requestedOf } from './requested.ts'
import { registry } from './resources/index.ts'
import { scopesHeader } from './scopes-header.ts'
import { shownUrl } from './shown-query.ts'
import { warningsFor } from './warnings.ts'

/** What is shown depends on who asks for it, and on when. */
const guarded = { 'cache-control': 'no-cache', vary: 'Accept, Authorization, Service-API-Version' }

/** V3, the current generation. */
export const v3: FastifyPluginAsync<ApiOptions> = async (scope, { ctx, endpoints }) => {
  mount(scope, endpoints, {
    ctx,
    generation: 'v3',
    headersFor: (viewer) => ({ ...scopesHeader(viewer), ...tokenEnd(viewer) }),
    ready: checkRequested,
    async send(reply, result, { call, endpoint }) {
      const presented = isPresented(result) ? await renderPresented(result, call) : result
      const answer = isAnswer(presented) ? presented : json(presented)
      reply.headers(guarded)
      const warned = withMembers(answer, warningsFor(call, endpoint), indent)
      return send(reply, warned, jsonTypeFor(reply.request), indent)
    },
  })
  // The bare prefix has no resource of its own.
  scope.get('/v3', async (request, reply) => {
    await authenticate(ctx, request, apiGeneration(request))
    const [, query] = shownUrl(request.url).split('?', 2)
    const search = query === undefined ? '' : `?${query}`
    return reply.redirect(`${prefixOf(ctx.site, request.raw)}/v3/${search}`, 307)
  })
}

/**
 * Throws if a response cannot be as it is requested. What a read includes is checked when it is
 * rendered, since an attribute of records that do not occur does not matter there.
 */
function checkRequested(call: Call, endpoint: Endpoint): void {
  const writes = endpoint.method !== 'GET' || endpoint.acts
  for (const shown of shownBy(endpoint)) {
    const { resource, shape, include } = requestedOf(shown, call)
    if (writes) checkIncluded(registry, resource, shape, include)
  }
}
