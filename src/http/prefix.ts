import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv4 } from 'node:net'
import type { TrustProxy } from '../config/trust-proxy.ts'
import type { Site } from './context.ts'

/** The networks that have names as addresses of proxies. */
const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

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
  const known = lists.get(trustProxy) ?? listOf(trustProxy)
  lists.set(trustProxy, known)
  return known.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

const lists = new WeakMap<readonly string[], BlockList>()

function listOf(words: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of words.flatMap((word) => named[word] ?? [word])) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
