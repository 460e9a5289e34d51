import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { isAdministrator } from '../../access/administration.ts'
import { anonymous, type Viewer } from '../../access/viewer.ts'
import { tokenInAddress, wrongCredentials } from '../../domain/errors.ts'
import { shownTime } from '../../domain/time/shown-time.ts'
import { useToken } from '../../flow/tokens/use-token.ts'
import type { HttpContext } from '../core/context.ts'
import type { Generation } from '../core/generation.ts'
import { sessionViewer } from './session.ts'
import { viewerOfTicket } from './tickets.ts'

interface RequestParts {
  headers: IncomingHttpHeaders
  query?: unknown
}

/**
 * The viewer who sent a request. Throws if its token is invalid, on public paths as well; V3 also
 * rejects unknown schemes, which V2.1 ignores. A token in the body counts if the header has none, except
 * for pages, which a form of any other site can be sent to. Sessions are for pages only: the API takes
 * no cookie, so no other site can call it on a user's behalf; a page can with a ticket.
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
  const viewer = viewerOfTicket(given) ?? (await useToken(ctx, given))
  if (!viewer) throw wrongCredentials()
  return viewer
}

/**
 * Tokens in a query would be written into logs on their way. They are refused rather than ignored (D25),
 * so that the sender learns of the problem.
 */
function withoutToken(query: unknown, generation: Generation): Viewer {
  const { token = '', access_token = '' } = (query ?? {}) as Record<string, unknown>
  if (access_token !== '') throw tokenInAddress()
  if (generation === 'v2' && token !== '') throw wrongCredentials()
  return anonymous
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The viewer who sent the request, once known. */
    knownViewer?: Viewer
  }
}

/** Keeps the viewer of a request whose body was read, for a possible error response. */
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

/** The header that tells a client in advance when its token expires. */
export function tokenEnd({ token_ends_at }: Viewer): Record<string, string> {
  return token_ends_at ? { 'x-token-ends-at': shownTime(token_ends_at) } : {}
}
