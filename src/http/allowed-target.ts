import type { Site } from './context.ts'

/** Whether a host is the machine that it is looked up on. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}

/**
 * A path below our own address, as it is written there; undefined for what leads elsewhere. After the
 * prefix it can be redirected to, under whatever name the browser knows this service by.
 */
export function ownPath({ url }: Pick<Site, 'url'>, path: string): string | undefined {
  if (!path.startsWith('/') || !URL.canParse(`${url}${path}`)) return undefined
  const own = new URL(url).href.replace(/\/$/, '')
  // Dots could lead out of the prefix.
  const { href } = new URL(`${url}${path}`)
  // What begins with two of them is the name of another host.
  return href.startsWith(`${own}/`) && !href.startsWith(`${own}//`)
    ? href.slice(own.length)
    : undefined
}

/**
 * The address that a login can be handed over to, if this is one: of our own origin, of one of
 * those that the settings list, or, where the service is on the user's machine, of a program there.
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
