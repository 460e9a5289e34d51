import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../access/viewer.ts'
import { authenticate } from './authenticate.ts'
import type { HttpContext } from './context.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { headersOfTagged } from './entity-tag.ts'
import type { Generation } from './generation.ts'

interface MountOptions {
  ctx: HttpContext
  generation: Generation
  /** Headers that describe the caller, on errors as well. */
  headersFor?(viewer: Viewer): Record<string, string>
  send(
    reply: FastifyReply,
    result: unknown,
    source: { call: Call; endpoint: Endpoint },
  ): FastifyReply | Promise<FastifyReply>
}

/** Mounts endpoints for one generation; every GET handles HEAD as well. */
export function mount(
  scope: FastifyInstance,
  endpoints: readonly Endpoint[],
  { ctx, generation, headersFor, send }: MountOptions,
): void {
  for (const endpoint of endpoints) {
    const { method, paths, run, mostBytes } = endpoint
    for (const url of paths) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url,
        constraints: { generation },
        ...(mostBytes === undefined ? {} : { bodyLimit: mostBytes }),
        async handler(request, reply) {
          const viewer = await authenticate(ctx, request, generation)
          if (headersFor) reply.headers(headersFor(viewer))
          const call = callOf(ctx, viewer, request)
          const result = await run(call)
          if (call.etag !== undefined) reply.headers(headersOfTagged(call.etag))
          return send(reply, result, { call, endpoint })
        },
      })
    }
  }
}

function callOf(ctx: HttpContext, viewer: Viewer, request: FastifyRequest): Call {
  return {
    ctx,
    viewer,
    request,
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
  }
}
