import type { FastifyPluginAsync } from 'fastify'
import type { HttpContext } from '../context.ts'
import { mount } from '../mount.ts'
import { send } from '../send.ts'
import { v3Endpoints } from './endpoints.ts'
import { jsonTypeFor } from './json-type.ts'
import { renderPresented } from './render-presented.ts'
import { isPresented } from './presented.ts'

/** V3, the current generation. */
export const v3: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  mount(scope, v3Endpoints, {
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
