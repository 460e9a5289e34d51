import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from './authenticate.ts'
import type { HttpContext } from './context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import type { Generation } from './generation.ts'

interface How {
  ctx: HttpContext
  generation: Generation
  send(reply: FastifyReply, result: unknown): FastifyReply
}

/** Mounts endpoints for one generation; every GET answers HEAD as well. */
export function mount(
  scope: FastifyInstance,
  endpoints: readonly Endpoint[],
  { ctx, generation, send }: How,
): void {
  for (const { method, paths, run } of endpoints) {
    for (const url of paths) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url,
        constraints: { generation },
        handler: async (request, reply) =>
          send(reply, await run(await callOf(ctx, generation, request))),
      })
    }
  }
}

async function callOf(
  ctx: HttpContext,
  generation: Generation,
  request: FastifyRequest,
): Promise<Call> {
  const viewer = await authenticate(ctx, request, { strict: generation === 'v3' })
  return {
    ...{ ctx, viewer, request },
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
  }
}
