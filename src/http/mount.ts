import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Call, Endpoint } from './endpoint.ts'
import type { Generation } from './generation.ts'

interface How {
  generation: Generation
  callOf(request: FastifyRequest): Promise<Call>
  send(request: FastifyRequest, reply: FastifyReply, result: unknown): FastifyReply
}

/** Mounts endpoints for one generation; every GET answers HEAD as well. */
export function mount(
  scope: FastifyInstance,
  endpoints: readonly Endpoint[],
  { generation, callOf, send }: How,
): void {
  for (const { method, paths, run } of endpoints) {
    for (const url of paths) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url,
        constraints: { generation },
        handler: async (request, reply) => send(request, reply, await run(await callOf(request))),
      })
    }
  }
}
