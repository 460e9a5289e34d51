import type { IncomingHttpHeaders } from 'node:http'
import type { Site } from './context.ts'
import { type Cookie, cookieIn } from './cookie.ts'

interface SiteCookie extends Pick<Cookie, 'name' | 'sameSite'> {
  /** Null for one that removes it. */
  value: string | null
  /** Below that of the installation. */
  path: string
  /** Seconds until it is forgotten. */
  lifetime: number
}

type CookieSite = Pick<Site, 'prefix' | 'url'>

/** A cookie of ours. Where we have a host to ourselves, no page of a host beside it can set one like it. */
export function siteCookie(
  site: CookieSite,
  { name, value, path, lifetime, sameSite }: SiteCookie,
): Cookie {
  return {
    name: nameOf(site, name),
    value: value ?? '',
    // Browsers accept a name that begins like this for the whole host only.
    path: isOnlyOurs(site) ? '/' : `${site.prefix}${path}`,
    maxAge: value === null ? 0 : lifetime,
    sameSite,
    secure: isSecure(site),
  }
}

/** The value of a cookie of ours that a browser sent; undefined without one. */
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
