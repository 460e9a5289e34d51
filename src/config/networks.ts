import { BlockList, isIP } from 'node:net'

/** An address or a network, as `10.0.0.0/8`. */
export type Network = string

/** Whether a text is an IP address, or a network as `10.0.0.0/8`. */
export function isNetwork(word: string): word is Network {
  const [address = '', bits, ...others] = word.split('/')
  const version = isIP(address)
  if (version === 0 || others.length > 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** A list that can check whether an address is in one of these networks. */
export function listOfNetworks(networks: readonly Network[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const version = isIP(address)
    const family = version === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(bits ?? (version === 4 ? 32 : 128)), family)
  }
  return list
}
