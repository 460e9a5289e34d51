import type { FastifyPluginAsync } from 'fastify'
import type { HttpContext } from './context.ts'
import { revalidate } from './revalidate.ts'
import { v2Endpoints } from './v2/endpoints/index.ts'
import { openApi } from './v2/openapi/document.ts'

/** The document of the API for programs, at a path that no generation has to itself. */
export const documents: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  await revalidate(scope)
  scope.get('/docs/v2.1.json', (_request, reply) => {
    const document = JSON.stringify(openApi(v2Endpoints, ctx.site))
    reply.header('cache-control', 'public, max-age=3600')
    return reply.type('application/json').send(Buffer.from(document))
  })
}
