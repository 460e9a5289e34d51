import Fastify, { type FastifyPluginAsync } from 'fastify'
import { acceptBodies } from '../../../src/http/bodies/accept-bodies.ts'
import type { HttpContext } from '../../../src/http/core/context.ts'
import type { Endpoint } from '../../../src/http/core/endpoint.ts'
import { apiGeneration, generationConstraint } from '../../../src/http/core/generation.ts'
import type { ApiOptions } from '../../../src/http/core/mount.ts'
import { renderErrors } from '../../../src/http/core/render-error.ts'
import { nestQuery } from '../../../src/http/parameters/nest.ts'
import { caller } from '../door.ts'

/** Calls a server of a few endpoints that the API does not have. */
export async function smallApi(
  ctx: HttpContext,
  generation: FastifyPluginAsync<ApiOptions>,
  endpoints: readonly Endpoint[],
) {
  const app = Fastify({
    routerOptions: {
      querystringParser: nestQuery,
      constraints: { generation: generationConstraint(apiGeneration) },
    },
  })
  acceptBodies(app)
  renderErrors(app, { ctx, generationOf: apiGeneration })
  await app.register(generation, { ctx, endpoints })
  return caller(app)
}
