import type { IncomingHttpHeaders } from 'node:http'
import type { Site } from '../core/context.ts'
import { type Cookie, cookieIn } from './cookie.ts'

interface SiteCookie extends Pick<Cookie, 'name' | 'sameSite'> {
  /** Null removes the cookie. */
  value: string | null
  /** Relative to the installation's prefix. */
  path: string
  /** Seconds until it expires. */
  lifetime: number
}

type CookieSite = Pick<Site, 'prefix' | 'url'>

/** A cookie of this service. If the service has a host to itself, pages of sibling hosts cannot set it. */
export function siteCookie(
  site: CookieSite,
  { name, value, path, lifetime, sameSite }: SiteCookie,
): Cookie {
  return {
    name: nameOf(site, name),
    value: value ?? '',
    // Browsers accept names with the prefix `__Host-` for the whole host only.
    path: isOnlyOurs(site) ? '/' : `${site.prefix}${path}`,
    maxAge: value === null ? 0 : lifetime,
    sameSite,
    secure: isSecure(site),
  }
}

/** The value of this service's cookie that a browser sent; undefined without one. */
export function siteCookieIn(
  site: CookieSite,
  headers: IncomingHttpHeaders,
  name: string,
): string | undefined {
  return cookieIn(headers, nameOf(site, name))
}

function nameOf(site: CookieSite, name: string): string {
  return isOnlyOurs(site) ? `__Host-${name}` : name
}

function isOnlyOurs(site: CookieSite): boolean {
  return isSecure(site) && site.prefix === ''
}

function isSecure({ url }: Pick<CookieSite, 'url'>): boolean {
  return url.startsWith('https:')
}
