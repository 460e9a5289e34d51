import type { IncomingMessage } from 'node:http'
import { type BlockList, isIPv4 } from 'node:net'
import { listOfNetworks } from '../config/networks.ts'
import { networksIn, type TrustProxy } from '../config/trust-proxy.ts'
import type { Site } from './context.ts'

/** What a path of the caller can begin with. */
const scriptName = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/**
 * What the paths of a call begin with: the installation's prefix, or what a trusted proxy says in
 * `X-Script-Name`. Others could have paths shown that lead elsewhere, so theirs is ignored.
 */
export function prefixOf(
  { prefix, trustProxy }: Pick<Site, 'prefix' | 'trustProxy'>,
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
): string {
  const name = headers['x-script-name']
  if (typeof name !== 'string' || !isTrusted(trustProxy, socket.remoteAddress)) return prefix
  const given = name.replace(/\/+$/, '')
  return given === '' || scriptName.test(given) ? given : prefix
}

function isTrusted(trustProxy: TrustProxy, address: string | undefined): boolean {
  if (typeof trustProxy === 'boolean') return trustProxy
  if (address === undefined) return false
  const known = lists.get(trustProxy) ?? listOfNetworks(networksIn(trustProxy))
  lists.set(trustProxy, known)
  return known.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

const lists = new WeakMap<readonly string[], BlockList>()
