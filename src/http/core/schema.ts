import type { FastifyPluginAsync } from 'fastify'
import { bundleSchema } from '../../buildfile/schema/bundle.ts'
import type { Schema } from '../../buildfile/schema/document.ts'
import { strictSchema } from '../../buildfile/schema/strict.ts'
import { revalidate } from '../caching/revalidate.ts'
import type { HttpContext } from './context.ts'

/** How each schema is derived from the bundle, by path; the strict schema also flags unknown keys. */
const variants: Readonly<Record<string, (bundle: Schema) => Schema>> = {
  '/schema/service-yml.json': (bundle) => bundle,
  '/schema/service-yml.strict.json': strictSchema,
}

interface Served {
  /** Its own URL. */
  id: string
  bytes: Buffer
}

/** The schema of build files, in one document, as editors load it; the same for every caller. */
export const schema: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  await revalidate(scope)
  for (const [path, variant] of Object.entries(variants)) {
    let served: Served | undefined
    scope.get(path, (_request, reply) => {
      const id = `${ctx.site.url}${path}`
      if (served?.id !== id) served = { id, bytes: bytesOf(variant(bundleOf(ctx, id))) }
      reply.header('cache-control', 'public, max-age=3600')
      return reply.type('application/schema+json').send(served.bytes)
    })
  }
}

function bundleOf({ schemaFiles }: HttpContext, id: string): Schema {
  return bundleSchema(schemaFiles(), id)
}

function bytesOf(schema: Schema): Buffer {
  return Buffer.from(JSON.stringify(schema))
}
