import type { IncomingMessage } from 'node:http'
import { anonymous, type Viewer } from '../access/viewer.ts'
import { wrongCredentials } from '../domain/errors.ts'
import { hashToken } from '../secrets/token.ts'
import { useToken } from '../store/tokens.ts'
import type { HttpContext } from './context.ts'

/**
 * Who sent a request. Throws when a token was sent that is not valid, on public paths as well; V3
 * also refuses schemes that it does not know, which V2.1 takes for anonymous.
 */
export async function authenticate(
  ctx: HttpContext,
  { headers }: Pick<IncomingMessage, 'headers'>,
  { strict }: { strict: boolean },
): Promise<Viewer> {
  const { authorization } = headers
  if (authorization === undefined || authorization === '') return anonymous
  const token = tokenIn(authorization)
  if (token === undefined) {
    if (strict) throw wrongCredentials()
    return anonymous
  }
  const use = await useToken(ctx.db, hashToken(token), ctx.now())
  if (!use) throw wrongCredentials()
  return use
}

/** The token of an `Authorization` header, in all the forms that clients write it in. */
function tokenIn(header: string): string | undefined {
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/s.exec(header) ?? []
  if (/^(token|bearer)$/i.test(scheme)) return unquoted(rest.replace(/^token=/i, ''))
  if (!/^basic$/i.test(scheme)) return undefined
  return Buffer.from(rest, 'base64').toString('utf8').split(':')[0] ?? ''
}

function unquoted(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1] ?? text
}
