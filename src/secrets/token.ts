import { hash, randomInt } from 'node:crypto'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new access token: `bsvc_` and 32 base62 characters (D25). */
export function newToken(): string {
  return `bsvc_${Array.from({ length: 32 }, () => base62[randomInt(62)]).join('')}`
}

/** Whether a text looks like one of our tokens. */
export function isOurs(text: string): boolean {
  return text.startsWith('bsvc_')
}

/** The stored form of a token. A token has 190 bits of entropy, so a plain hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}
