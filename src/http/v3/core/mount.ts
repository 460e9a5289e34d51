import type { FastifyPluginAsync } from 'fastify'
import { isAnswer, json, withMembers } from '../../core/answer.ts'
import type { Call, Endpoint } from '../../core/endpoint.ts'
import { apiGeneration } from '../../core/generation.ts'
import { type ApiOptions, mount } from '../../core/mount.ts'
import { prefixOf } from '../../core/prefix.ts'
import { send } from '../../core/send.ts'
import { authenticate, tokenEnd } from '../../identity/authenticate.ts'
import { checkIncluded } from '../render/included.ts'
import { requestedOf } from '../render/representation.ts'
import { registry } from '../resources/index.ts'
import { shownBy } from './action.ts'
import { indent, jsonTypeFor } from './json-type.ts'
import { isPresented } from './presented.ts'
import { renderPresented } from './render-presented.ts'
import { scopesHeader } from './scopes-header.ts'
import { shownUrl } from './shown-query.ts'
import { warningsFor } from './warnings.ts'

/** Responses depend on the caller and on the time. */
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
 * Throws if a response cannot have the requested form. Includes of a read are checked when it is
 * rendered, because attributes of records that do not occur do not matter there.
 */
function checkRequested(call: Call, endpoint: Endpoint): void {
  const writes = endpoint.method !== 'GET' || endpoint.acts
  for (const shown of shownBy(endpoint)) {
    const { resource, shape, include } = requestedOf(shown, call)
    if (writes) checkIncluded(registry, resource, shape, include)
  }
}
