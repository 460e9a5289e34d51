import type { IncomingHttpHeaders } from 'node:http'
import { anonymous, type Viewer } from '../access/viewer.ts'
import { wrongCredentials } from '../domain/errors.ts'
import { hashToken } from '../secrets/token.ts'
import { useToken } from '../store/tokens.ts'
import type { HttpContext } from './context.ts'
import type { Generation } from './generation.ts'

interface RequestParts {
  headers: IncomingHttpHeaders
  query?: unknown
}

/**
 * The viewer who sent a request. Throws if its token is invalid, on public paths as well; V3 also
 * rejects unknown schemes, which V2.1 treats as anonymous.
 */
export async function authenticate(
  ctx: HttpContext,
  { headers, query }: RequestParts,
  generation: Generation,
): Promise<Viewer> {
  const { authorization = '' } = headers
  if (authorization === '') return withoutHeader(query, generation)
  const token = tokenIn(authorization)
  if (token === undefined) {
    if (generation === 'v3') throw wrongCredentials()
    return anonymous
  }
  const use = await useToken(ctx.db, hashToken(token), ctx.now())
  if (!use) throw wrongCredentials()
  return use
}

/** Only feeds accept tokens in the query; V2.1 rejects them everywhere else (D25). */
function withoutHeader(query: unknown, generation: Generation): Viewer {
  const { token } = (query ?? {}) as Record<string, unknown>
  if (generation === 'v2' && token !== undefined && token !== '') throw wrongCredentials()
  return anonymous
}

/** The token of an `Authorization` header, in all forms that clients use. */
function tokenIn(header: string): string | undefined {
  const [scheme = ''] = header.trim().split(/\s/, 1)
  const rest = header.trim().slice(scheme.length).trim()
  if (/^(token|bearer)$/i.test(scheme)) return unquoted(rest.replace(/^token=/i, ''))
  if (!/^basic$/i.test(scheme)) return undefined
  return Buffer.from(rest, 'base64').toString('utf8').split(':', 1)[0] ?? ''
}

function unquoted(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
}
