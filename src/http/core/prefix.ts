import type { IncomingMessage } from 'node:http'
import { type BlockList, isIPv4 } from 'node:net'
import { listOfNetworks } from '../../config/networks.ts'
import { networksIn, type TrustProxy } from '../../config/trust-proxy.ts'
import type { Site } from './context.ts'

/** Valid prefixes in `X-Script-Name`. */
const scriptName = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/**
 * The prefix of a call's paths: the installation's, or the `X-Script-Name` of a trusted proxy. From
 * other senders the header is ignored, because it could make links lead elsewhere.
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
