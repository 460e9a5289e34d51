import { createHash, createHmac } from 'node:crypto'
import { isSameSecret } from './signature.ts'

/** What a publisher and the streaming service share. The key is public, the secret is not. */
export interface StreamingApp {
  id: string
  key: string
  secret: string
}

/** Permits a connection to subscribe to a channel: `key:signature`. */
export function signChannel(
  { key, secret }: Pick<StreamingApp, 'key' | 'secret'>,
  socketId: string,
  channel: string,
): string {
  return `${key}:${hmac(secret, `${socketId}:${channel}`)}`
}

/** Whether a text permits this connection to subscribe to the channel. */
export function isSignedChannel(
  app: Pick<StreamingApp, 'key' | 'secret'>,
  auth: string,
  socketId: string,
  channel: string,
): boolean {
  return isSameSecret(signChannel(app, socketId, channel), auth)
}

/** A call of a streaming service's HTTP interface. */
export interface StreamingCall {
  method: string
  path: string
  /** Pairs as they are in the address, without `auth_signature`. */
  query: readonly (readonly [name: string, value: string])[]
}

/** The signature of a call: of its method, path and sorted query, whose values are not escaped. */
export function signCall(secret: string, { method, path, query }: StreamingCall): string {
  const sorted = query
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return hmac(secret, [method, path, sorted].join('\n'))
}

/** The value of `body_md5`. */
export function md5(body: Buffer): string {
  return createHash('md5').update(body).digest('hex')
}

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}
