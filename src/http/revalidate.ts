import etag from '@fastify/etag'
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/**
 * Gives every response of this scope an ETag, and sends those that the client already has as 304.
 * For files only, which are the same for all users; register the scope's routes after it.
 */
export async function revalidate(scope: FastifyInstance): Promise<void> {
  await scope.register(etag, {
    // Weak, since the content is compressed afterwards where the client accepts that.
    weak: true,
    hashFn: (content) => createHash('sha256').update(content).digest('base64url').slice(0, 22),
    // The package compares one tag only; clients may send several, or `*`.
    replyWith304: false,
  })
  scope.addHook('onSend', async (request, reply, content) => {
    const current = String(reply.getHeader('etag'))
    if (reply.statusCode !== 200 || !isKnown(request.headers['if-none-match'], current)) {
      return content
    }
    reply.code(304).removeHeader('content-type')
    // Fastify sends an empty text with its length, which 304 must not have, and fails on null in HEAD.
    return request.method === 'HEAD' ? '' : null
  })
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim())
  // Weak or strong makes no difference for reading (RFC 9110, 13.1.2).
  return known.some((tag) => tag === '*' || `W/${tag.replace(/^W\//, '')}` === etag)
}
