import type { Site } from '../core/context.ts'

/** Whether a host name means the machine on which it is resolved. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}

/**
 * The normalized form of a path below this service's address; undefined if it leads elsewhere. With the
 * prefix it is a redirect target, under any host name that the browser uses for this service.
 */
export function ownPath({ url }: Pick<Site, 'url'>, path: string): string | undefined {
  if (!path.startsWith('/') || !URL.canParse(`${url}${path}`)) return undefined
  const own = new URL(url).href.replace(/\/$/, '')
  // Dots could lead out of the prefix.
  const { href } = new URL(`${url}${path}`)
  // A path that begins with two slashes names another host.
  return href.startsWith(`${own}/`) && !href.startsWith(`${own}//`)
    ? href.slice(own.length)
    : undefined
}

/**
 * The target as a URL, if a login can be handed over to it: its origin is the service's own or listed in
 * the settings, or, if the service is on the user's machine, it belongs to a program there.
 */
export function allowedTarget({ url, login }: Site, target: string): URL | undefined {
  if (!URL.canParse(target)) return undefined
  const wanted = new URL(target)
  const { protocol, origin, hostname, port, username, password } = wanted
  if (!['http:', 'https:'].includes(protocol) || username !== '' || password !== '')
    return undefined
  const isListed = protocol === 'https:' && login.origins.includes(origin)
  const isLocal = login.loopback && isLoopback(hostname) && Number(port) > 1023
  return origin === new URL(url).origin || isListed || isLocal ? wanted : undefined
}
