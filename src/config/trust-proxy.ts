import { isNetwork, type Network } from './networks.ts'

/** The proxies whose forwarded address is trusted: none, all, or the listed addresses. */
export type TrustProxy = boolean | string[]

/** Names for networks, as the framework defines them. */
const named: Readonly<Record<string, readonly Network[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Reads `true`, `false`, or addresses and networks separated by commas. A number of proxies is not
 * accepted: callers that bypass the proxies could claim any address, so the framework trusts none.
 */
export function readTrustProxy(text: string): TrustProxy {
  if (text === 'true') return true
  if (text === 'false') return false
  const addresses = text.split(',').map((word) => word.trim())
  if (!addresses.every(isAddress)) {
    throw new Error(
      'must be true, false, or a comma-separated list of addresses and networks of proxies, such ' +
        `as 10.0.0.0/8; ${Object.keys(named).join(', ')} stand for networks as well`,
    )
  }
  return addresses
}

const isAddress = (word: string) => Object.hasOwn(named, word) || isNetwork(word)

/** The networks that these words name. */
export function networksIn(words: readonly string[]): Network[] {
  return words.flatMap((word) => named[word] ?? [word])
}
