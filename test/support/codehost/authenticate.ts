import { createVerify } from 'node:crypto'
import { badCredentials, Refusal } from './reply.ts'
import type { Installation, InstallationToken, UserToken } from './tables.ts'
import type { World } from './world.ts'

/** Who calls. */
export type Caller = { kind: 'nobody' } | { kind: 'app' } | InstallationToken | UserToken

/** Who an authorization header stands for; no one without one. Throws the response for invalid ones. */
export function authenticate(world: World, authorization: string | undefined): Caller {
  const caller = callerOf(world, authorization)
  if (world.refusesTokens !== undefined && caller.kind === 'installation') {
    throw refusedToken(world.refusesTokens)
  }
  return caller
}

function refusedToken(status: number): Refusal {
  if (status === 401) return badCredentials()
  return new Refusal({ status, message: 'Resource not accessible by integration' })
}

function callerOf(world: World, authorization: string | undefined): Caller {
  if (!authorization) return { kind: 'nobody' }
  const [scheme = '', credentials = ''] = authorization.split(/ +/, 2)
  if (/^basic$/i.test(scheme)) return byToken(world, passwordOf(credentials))
  if (!/^(?:bearer|token)$/i.test(scheme)) throw badCredentials()
  if (credentials.split('.').length === 3) return byAppToken(world, credentials)
  return byToken(world, credentials)
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}

function byToken({ tables, now }: World, text: string): Caller {
  const token = tables.tokens.find((each) => each.token === text)
  if (!token || token.expires_at <= now()) throw badCredentials()
  if (token.kind === 'installation') refuseSuspended(token.installation)
  return token
}

export function refuseSuspended({ suspended_at }: Installation): void {
  if (!suspended_at) return
  throw new Refusal({ status: 403, message: 'This installation has been suspended' })
}

const undecodable = 'A JSON web token could not be decoded'
const longestLife = 10 * 60
const messages = {
  iat:
    "'Issued at' claim ('iat') must be an Integer representing the time that the assertion " +
    'was issued.',
  exp:
    "'Expiration time' claim ('exp') must be a numeric value representing the future time at " +
    'which the assertion expires.',
  far: "'Expiration time' claim ('exp') is too far in the future.",
}

/** The app proves itself with a token that it signed, RS256 and for ten minutes at most. */
function byAppToken({ app, now }: World, token: string): Caller {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const { alg } = readPart(head)
  const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  if (alg !== 'RS256' || !verify.verify(app.publicKey, signature, 'base64url')) {
    throw badCredentials(undecodable)
  }
  const { iat, exp, iss } = readPart(claims)
  const seconds = Math.floor(now().getTime() / 1000)
  if (!Number.isInteger(iat) || Number(iat) > seconds) throw badCredentials(messages.iat)
  if (typeof exp !== 'number' || exp <= seconds) throw badCredentials(messages.exp)
  if (exp > seconds + longestLife) throw badCredentials(messages.far)
  if (![String(app.id), app.clientId].includes(String(iss))) {
    throw new Refusal({ status: 404, message: 'Integration not found' })
  }
  return { kind: 'app' }
}

function readPart(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw badCredentials(undecodable)
}

/** Calls about the app itself take nothing but the token that it signed. */
export function requireApp({ kind }: Caller): void {
  if (kind !== 'app') throw badCredentials(undecodable)
}
