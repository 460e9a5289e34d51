import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../access/viewer.ts'
import type { Version } from '../../store/builds/versions.ts'
import type { HttpContext } from '../core/context.ts'
import { prefixOf } from '../core/prefix.ts'

/** The end of compressed content's tag, because a strong tag identifies the exact bytes. */
const packedEnd = '-gzip"'

const packed = (tag: string) => tag.replace(/"$/, packedEnd)

/** The tags of a content: uncompressed and compressed. */
export const tagsOf = (tag: string) =>
  tag.endsWith(packedEnd) ? [tag, `${tag.slice(0, -packedEnd.length)}"`] : [tag, packed(tag)]

/** The record that an answer shows, if it was found by its id, and its version. */
export type ShownVersion = NonNullable<Version['of']> & { version: string }

/** A call whose response has an ETag. */
interface TaggedCall {
  ctx: Pick<HttpContext, 'site'>
  viewer: Viewer
  request: FastifyRequest
  etag?: string
  shown?: ShownVersion
}

/**
 * Sets the call's ETag, which depends on this version of the shown record and on everything else that
 * affects the answer; returns whether the client has that answer.
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
 * The first of these tags in the client's `If-None-Match`: a list of tags, or `*` for any. Strong and
 * weak tags are not distinguished, which reading does not need (RFC 9110, 13.1.2).
 */
export function knownTag(header: string | undefined, tags: readonly string[]): string | undefined {
  if (header === undefined) return
  if (header.trim() === '*') return tags[0]
  const known = new Set(header.match(/"[^"]*"/g))
  return tags.find((tag) => known.has(tag.replace(/^W\//, '')))
}

/** The headers of a response with an ETag: it must be revalidated for each use and each user. */
export function headersOfTagged(etag: string): Record<string, string> {
  return { etag, 'cache-control': 'no-cache', vary: 'Accept, Authorization, Service-API-Version' }
}

/** Sends 304: the client's copy, compressed or not, is current. */
export function sendUnchanged(reply: FastifyReply): FastifyReply {
  if (String(reply.getHeader('etag')).endsWith(packedEnd)) {
    reply.header('vary', `${String(reply.getHeader('vary'))}, accept-encoding`)
  }
  return reply.code(304).send()
}

/** Sets the tag of compressed content; to be called after the compression is set up. */
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
