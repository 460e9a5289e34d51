import type { IncomingHttpHeaders } from 'node:http'

/** A cookie that no script of a page can read. */
export interface Cookie {
  /** A token (RFC 9110, 5.6.2), such as `service.state`. */
  name: string
  /** Any text: it is sent escaped. */
  value: string
  path: string
  /** Seconds until it expires, 0 for immediately; undefined for when the browser is closed. */
  maxAge?: number
  /** `None` is for frames in pages of other sites, and always secure. */
  sameSite: 'Lax' | 'Strict' | 'None'
  /** Whether it is sent over HTTPS only. */
  secure: boolean
}

/** The cookie as a value of `Set-Cookie`. */
export function cookieText({ name, value, path, maxAge, sameSite, secure }: Cookie): string {
  return [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${path}`,
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure || sameSite === 'None' ? ['Secure'] : []),
  ].join('; ')
}

/** The value of the cookie that a browser sent under this name; undefined without one. */
export function cookieIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const start = `${name}=`
  const found = cookie.split(';').find((pair) => pair.trimStart().startsWith(start))
  const value = found?.trimStart().slice(start.length)
  try {
    return value === undefined ? undefined : decodeURIComponent(value)
  } catch {
    return undefined
  }
}
