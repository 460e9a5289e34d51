import { isIP } from 'node:net'

/** Whose forwarded address is believed: no one's, everyone's, or that of some addresses. */
export type TrustProxy = boolean | string[]

/** Networks that have names. */
const names = ['loopback', 'linklocal', 'uniquelocal']

/**
 * Reads `true`, `false`, or addresses and networks with commas between. Not the number of proxies:
 * then anyone who gets past them could say anything, so the framework believes no one.
 */
export function readTrustProxy(text: string): TrustProxy {
  if (text === 'true') return true
  if (text === 'false') return false
  const addresses = text.split(',').map((word) => word.trim())
  if (!addresses.every(isAddress)) {
    throw new Error(
      'must be true, false, or a comma-separated list of addresses and networks of proxies, such ' +
        `as 10.0.0.0/8; ${names.join(', ')} stand for networks as well`,
    )
  }
  return addresses
}

const isAddress = (word: string) => names.includes(word) || isNetwork(word)

/** Whether a text is an IP address, or a network as `10.0.0.0/8`. */
export function isNetwork(word: string): boolean {
  const [address = '', bits, ...others] = word.split('/')
  const version = isIP(address)
  if (version === 0 || others.length > 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
