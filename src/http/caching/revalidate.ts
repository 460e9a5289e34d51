import etag from '@fastify/etag'
import type { FastifyInstance } from 'fastify'
import { digestOf, knownTag } from './entity-tag.ts'

/**
 * Gives every response of this scope an ETag, and sends those that the client already has as 304.
 * For files only, which are the same for all users; register the scope's routes after it.
 */
export async function revalidate(scope: FastifyInstance): Promise<void> {
  await scope.register(etag, {
    // Weak, because the content is compressed afterwards if the client accepts that.
    weak: true,
    hashFn: digestOf,
    // The package compares one tag only; clients may send several, or `*`.
    replyWith304: false,
  })
  scope.addHook('onSend', async (request, reply, content) => {
    const current = String(reply.getHeader('etag'))
    const known = knownTag(request.headers['if-none-match'], [current])
    if (reply.statusCode !== 200 || known === undefined) return content
    reply.code(304).removeHeader('content-type')
    // Fastify sends an empty text with its length, which 304 must not have, and fails on null in HEAD.
    return request.method === 'HEAD' ? '' : null
  })
}
