import type { FastifyPluginAsync } from 'fastify'
import type { HttpContext } from '../context.ts'
import { mount } from '../mount.ts'
import { send } from '../send.ts'
import { v2Endpoints } from './endpoints/index.ts'

/** V2.1, the legacy generation; V2 differs only in how it hides things from nobody. */
export const v2: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  mount(scope, v2Endpoints, {
    ctx,
    generation: 'v2',
    send(reply, result) {
      reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Authorization' })
      return send(reply, result, 'application/json;charset=utf-8')
    },
  })
}
