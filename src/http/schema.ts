import type { FastifyPluginAsync } from 'fastify'
import { bundleSchema } from '../buildfile/schema/bundle.ts'
import type { HttpContext } from './context.ts'
import { revalidate } from './revalidate.ts'

const path = '/schema/service-yml.json'

interface Bundle {
  /** Its own URL. */
  id: string
  bytes: Buffer
}

/** The schema of build files, in one document, as editors load it; the same for every caller. */
export const schema: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  let bundle: Bundle | undefined

  await revalidate(scope)
  scope.get(path, (_request, reply) => {
    const id = `${ctx.site.url}${path}`
    bundle = bundle?.id === id ? bundle : bundleOf(ctx, id)
    reply.header('cache-control', 'public, max-age=3600')
    return reply.type('application/schema+json').send(bundle.bytes)
  })
}

function bundleOf({ schemaFiles }: HttpContext, id: string): Bundle {
  return { id, bytes: Buffer.from(JSON.stringify(bundleSchema(schemaFiles(), id))) }
}
