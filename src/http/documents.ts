import type { FastifyPluginAsync } from 'fastify'
import type { HttpContext, Site } from './context.ts'
import type { OpenApi } from './openapi/operation.ts'
import { apiGeneration } from './generation.ts'
import { revalidate } from './revalidate.ts'
import { v2Endpoints } from './v2/endpoints/index.ts'
import { openApi as openApiOfV2 } from './v2/openapi/document.ts'
import { v3Actions } from './v3/endpoints.ts'
import { openApi as openApiOfV3 } from './v3/openapi/document.ts'

const made: Readonly<Record<string, (site: Site) => OpenApi>> = {
  '/docs/v2.1.json': (site) => openApiOfV2(v2Endpoints, site),
  '/docs/v3.json': (site) => openApiOfV3(v3Actions, site),
}

/** The documents of the API for programs, at paths that no generation has to itself. */
export const documents: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  await revalidate(scope)
  // Programs that ask for the documentation get what they can read; people a page.
  scope.get('/docs', (request, reply) =>
    reply.redirect(
      `${ctx.site.prefix}/docs/${apiGeneration(request) === 'v3' ? 'v3' : 'v2.1'}.json`,
    ),
  )
  for (const [path, documentFor] of Object.entries(made)) {
    let written: Buffer | undefined
    scope.get(path, (_request, reply) => {
      written ??= Buffer.from(JSON.stringify(documentFor(ctx.site)))
      reply.header('cache-control', 'public, max-age=3600')
      return reply.type('application/json').send(written)
    })
  }
}
