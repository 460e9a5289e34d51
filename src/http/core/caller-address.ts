import type { IncomingMessage } from 'node:http'
import { type BlockList, isIPv4 } from 'node:net'
import { listOfNetworks } from '../../config/networks.ts'
import { networksIn, type TrustProxy } from '../../config/trust-proxy.ts'
import { networkOf } from './network-of.ts'

/** Whether this sender may name the address or the prefix of a call. */
export function isTrusted(trustProxy: TrustProxy, address: string | undefined): boolean {
  if (typeof trustProxy === 'boolean') return trustProxy
  if (address === undefined) return false
  const known = lists.get(trustProxy) ?? listOfNetworks(networksIn(trustProxy))
  lists.set(trustProxy, known)
  return known.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

const lists = new WeakMap<readonly string[], BlockList>()

/**
 * The network of the caller of a request that no route serves: the last sender that is not a trusted proxy,
 * as the framework finds it for routes.
 */
export function callerNetwork(
  trustProxy: TrustProxy,
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean)
  const senders = [...forwarded, socket.remoteAddress ?? '']
  const caller = senders.findLast((sender) => !isTrusted(trustProxy, sender)) ?? senders[0] ?? ''
  return networkOf(caller)
}
