import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isAdministrator } from '../access/administration.ts'
import { anonymous, type Viewer } from '../access/viewer.ts'
import { tokenInAddress, wrongCredentials } from '../domain/errors.ts'
import { shownTime } from '../domain/shown-time.ts'
import { useToken } from '../flow/use-token.ts'
import type { HttpContext } from './context.ts'
import type { Generation } from './generation.ts'
import { sessionViewer } from './session.ts'

interface RequestParts {
  headers: IncomingHttpHeaders
  query?: unknown
}

/**
 * The viewer who sent a request. Throws if its token is invalid, on public paths as well; V3 also
 * rejects unknown schemes, which V2.1 ignores. A token in the body counts without one in the header, but
 * for pages, which a form of any other site can be sent to. Sessions are for pages only: the API takes no
 * cookie, so no other site can call it for someone.
 */
export async function authenticate(
  ctx: HttpContext,
  { headers, query }: RequestParts,
  generation: Generation,
  accessToken = '',
): Promise<Viewer> {
  const viewer = await knownBy(ctx, { headers, query }, generation, accessToken)
  const { publicMode, admins } = ctx.site
  return {
    ...viewer,
    ...(publicMode ? {} : { closed: true }),
    ...(isAdministrator(viewer, admins) ? { administrator: true } : {}),
  }
}

async function knownBy(
  ctx: HttpContext,
  { headers, query }: RequestParts,
  generation: Generation,
  accessToken: string,
): Promise<Viewer> {
  const { authorization = '' } = headers
  const token = tokenIn(authorization)
  if (authorization !== '' && token === undefined && generation === 'v3') throw wrongCredentials()
  const given = token ?? (generation === 'page' ? '' : accessToken)
  if (token === undefined && given === '') {
    if (authorization !== '') return anonymous
    if (generation === 'page') return (await sessionViewer(ctx, headers)) ?? anonymous
    return withoutToken(query, generation)
  }
  const viewer = await useToken(ctx, given)
  if (!viewer) throw wrongCredentials()
  return viewer
}

/**
 * No token is taken from a query (D25), where it would be written into logs on its way: one is refused,
 * so that whoever sent it learns of that.
 */
function withoutToken(query: unknown, generation: Generation): Viewer {
  const { token = '', access_token = '' } = (query ?? {}) as Record<string, unknown>
  if (access_token !== '') throw tokenInAddress()
  if (generation === 'v2' && token !== '') throw wrongCredentials()
  return anonymous
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who has sent it, once that is known. */
    knownViewer?: Viewer
  }
}

/** Keeps the viewer of a request whose body was read, for the error that it may end in. */
export function rememberViewer(request: FastifyRequest, viewer: Viewer): void {
  request.knownViewer = viewer
}

/** The viewer that was kept; anonymous if there is none. */
export function rememberedViewer(request: FastifyRequest): Viewer {
  return request.knownViewer ?? anonymous
}

/** The viewer of a request that ends in an error; anonymous if the error is about the token. */
export async function viewerOf(
  ctx: HttpContext,
  request: FastifyRequest,
  generation: Generation,
): Promise<Viewer> {
  return request.knownViewer ?? authenticate(ctx, request, generation).catch(() => anonymous)
}

/** The token of an `Authorization` header, in all forms that clients use. */
export function tokenIn(header: string): string | undefined {
  const [scheme = ''] = header.trim().split(/\s/, 1)
  const rest = header.trim().slice(scheme.length).trim()
  if (/^(token|bearer)$/i.test(scheme)) return unquoted(rest.replace(/^token=/i, ''))
  if (!/^basic$/i.test(scheme)) return undefined
  return Buffer.from(rest, 'base64').toString('utf8').split(':', 1)[0] ?? ''
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}

/** The header that tells a client in time that its token ends. */
export function tokenEnd({ token_ends_at }: Viewer): Record<string, string> {
  return token_ends_at ? { 'x-token-ends-at': shownTime(token_ends_at) } : {}
}
