import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../access/viewer.ts'
import type { Version } from '../store/versions.ts'
import type { HttpContext } from './context.ts'
import { prefixOf } from './prefix.ts'

/** What the tag of compressed content ends with, since a strong one stands for the very bytes. */
const packedEnd = '-gzip"'

const packed = (tag: string) => tag.replace(/"$/, packedEnd)

/** The tags of a content: as it is, and compressed. */
export const tagsOf = (tag: string) =>
  tag.endsWith(packedEnd) ? [tag, `${tag.slice(0, -packedEnd.length)}"`] : [tag, packed(tag)]

/** What an answer shows, where that was found by its id, and in which version. */
export type Shown = NonNullable<Version['of']> & { version: string }

/** A call whose answer has an ETag. */
interface TaggedCall {
  ctx: Pick<HttpContext, 'site'>
  viewer: Viewer
  request: FastifyRequest
  etag?: string
  shown?: Shown
}

/**
 * Gives the call the ETag that belongs to this version of what it shows, and to whatever else its
 * answer depends on; returns whether the client has that answer.
 */
export function isUnchanged(call: TaggedCall, version: Version): boolean {
  const { ctx, viewer, request } = call
  const { user, scopes, grantee_id } = viewer
  const who = [user?.id ?? null, grantee_id ?? null, scopes]
  const prefix = prefixOf(ctx.site, request.raw)
  const parts = [ctx.site.version, prefix, request.originalUrl, who, version.text]
  const tag = `"${digestOf(JSON.stringify(parts))}"`
  const known = knownTag(request.headers['if-none-match'], tagsOf(tag))
  call.etag = known ?? tag
  if (version.of) call.shown = { ...version.of, version: version.text }
  return known !== undefined
}

export function digestOf(content: string | Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}

/**
 * The one of these tags that a client has, as `If-None-Match` says: tags, strong or weak, which makes
 * no difference for reading (RFC 9110, 13.1.2), or `*` for any.
 */
export function knownTag(header: string | undefined, tags: readonly string[]): string | undefined {
  if (header === undefined) return
  if (header.trim() === '*') return tags[0]
  const known = new Set(header.match(/"[^"]*"/g))
  return tags.find((tag) => known.has(tag.replace(/^W\//, '')))
}

/** The headers of a response that has an ETag: it is asked for again each time, by each user. */
export function headersOfTagged(etag: string): Record<string, string> {
  return { etag, 'cache-control': 'no-cache', vary: 'Accept, Authorization, Service-API-Version' }
}

/** Sends 304: that the client has what it asked for, as it last got it, compressed or not. */
export function sendUnchanged(reply: FastifyReply): FastifyReply {
  if (String(reply.getHeader('etag')).endsWith(packedEnd)) {
    reply.header('vary', `${String(reply.getHeader('vary'))}, accept-encoding`)
  }
  return reply.code(304).send()
}

/** Gives compressed content the tag that belongs to it; to be called after the compression is set up. */
export function tagPacked(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (_request, reply, content, done) => {
        const etag = reply.getHeader('etag')
        const isStrong = typeof etag === 'string' && etag.startsWith('"')
        if (isStrong && reply.getHeader('content-encoding') === 'gzip') {
          reply.header('etag', etag.endsWith(packedEnd) ? etag : packed(etag))
        }
        done(null, content)
      },
    ]
  })
}
