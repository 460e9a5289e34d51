import type { FastifyPluginAsync } from 'fastify'
import { authenticate } from '../authenticate.ts'
import type { HttpContext } from '../context.ts'
import { mount } from '../mount.ts'
import { send } from '../send.ts'
import { v3Endpoints } from './endpoints.ts'

/** V3, the current generation. */
export const v3: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  mount(scope, v3Endpoints, {
    generation: 'v3',
    async callOf(request) {
      const viewer = await authenticate(ctx, request, { strict: true })
      return {
        ctx,
        viewer,
        request,
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
      }
    },
    send: (_request, reply, result) => send(reply, result, 'application/json'),
  })
  // The bare path form has no resource of its own.
  scope.get('/v3', (_request, reply) => reply.redirect(`${ctx.site.prefix}/v3/`, 307))
}
