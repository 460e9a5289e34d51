import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { bundleSchema } from '../buildfile/schema/bundle.ts'
import type { HttpContext } from './context.ts'

const path = '/schema/service-yml.json'

interface Bundle {
  /** Its own URL. */
  id: string
  bytes: Buffer
  /** Weak, since the response may be compressed. */
  etag: string
}

/** The schema of build files, in one document, as editors load it; the same for every caller. */
export const schema: FastifyPluginAsync<{ ctx: HttpContext }> = async (scope, { ctx }) => {
  let bundle: Bundle | undefined

  scope.get(path, (request, reply) => {
    const id = `${ctx.site.url}${path}`
    bundle = bundle?.id === id ? bundle : bundleOf(ctx, id)
    reply.headers({ 'cache-control': 'public, max-age=3600', etag: bundle.etag })
    if (isKnown(request.headers['if-none-match'], bundle.etag)) return reply.code(304).send()
    return reply.type('application/schema+json').send(bundle.bytes)
  })
}

function bundleOf({ schemaFiles }: HttpContext, id: string): Bundle {
  const bytes = Buffer.from(JSON.stringify(bundleSchema(schemaFiles(), id)))
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { id, bytes, etag: `W/"${hash}"` }
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim())
  // Weak or strong makes no difference for reading (RFC 9110, 13.1.2).
  return known.some((tag) => tag === '*' || `W/${tag.replace(/^W\//, '')}` === etag)
}
