import type { FastifyPluginAsync } from 'fastify'
import { notAcceptable } from '../../domain/errors.ts'
import { isAnswer } from '../answer.ts'
import type { HttpContext } from '../context.ts'
import { mount } from '../mount.ts'
import { send } from '../send.ts'
import { acceptsJson } from './accept.ts'
import { v2Endpoints } from './endpoints/index.ts'
import { resourceType } from './resource-type.ts'

/** V2.1, the legacy generation; V2 differs only in how it hides records from anonymous viewers. */
export const v2: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  mount(scope, v2Endpoints, {
    ctx,
    generation: 'v2',
    headersFor: ({ scopes }) => ({
      'x-oauth-scopes': scopes.join(','),
      'x-accepted-oauth-scopes': 'private',
    }),
    send(reply, result) {
      // A missing record is reported before an unacceptable type.
      const isResource = !isAnswer(result) || result.answer === 'unchanged'
      if (isResource && !acceptsJson(reply.request.headers.accept)) throw notAcceptable()
      reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Authorization' })
      return send(reply, result, isAnswer(result) ? 'application/json' : resourceType)
    },
  })
}
