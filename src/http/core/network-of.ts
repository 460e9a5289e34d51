import { isIPv6 } from 'node:net'

/**
 * The network that identifies a caller: an IPv4 address, or the /64 of an IPv6 address, because anyone
 * who has one of its addresses has them all.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  const shortest = new URL(`http://[${plain}]/`).hostname.slice(1, -1)
  const [front = [], back = []] = shortest
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...zeros, ...back].slice(0, 4).join(':')
}
