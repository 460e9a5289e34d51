import type { FastifyPluginAsync } from 'fastify'
import { type ApiOptions, mount } from '../mount.ts'
import { send } from '../send.ts'
import { jsonTypeFor } from './json-type.ts'
import { renderPresented } from './render-presented.ts'
import { isPresented } from './presented.ts'

/** V3, the current generation. */
export const v3: FastifyPluginAsync<ApiOptions> = async (scope, { ctx, endpoints }) => {
  mount(scope, endpoints, {
    ctx,
    generation: 'v3',
    headersFor: ({ user, scopes }) => ({ 'x-oauth-scopes': user ? scopes.join(',') : '' }),
    async send(reply, result, { call, endpoint }) {
      const answer = isPresented(result) ? await renderPresented(result, call, endpoint) : result
      return send(reply, answer, jsonTypeFor(reply.request))
    },
  })
  // The bare prefix has no resource of its own.
  scope.get('/v3', (_request, reply) => reply.redirect(`${ctx.site.prefix}/v3/`, 307))
}
