import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { type BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { listOfNetworks, type Network } from '../config/networks.ts'
import { NotifyError } from './notify-error.ts'

/** Returns all addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Checks hosts given by users, which can be any host, even the service's own machine and its neighbours. */
export interface Guard {
  /**
   * The addresses of a URL's host, all of which may be called. Throws a NotifyError if there are none,
   * or if one of them may not be called. The caller must connect to these addresses, because the name
   * can resolve to others a moment later. Errors call the host `name`.
   */
  addressesOf(url: URL, name?: string): Promise<readonly string[]>
}

export interface GuardOptions {
  /** Networks that may be called although they are not public. */
  allowed: readonly Network[]
  resolve?: Resolve
  /** The addresses of this machine, which may be public. */
  ownAddresses?: () => readonly string[]
}

/** Permits only public addresses, and addresses of the given networks. */
export function createGuard({
  allowed,
  resolve = resolveName,
  ownAddresses = addressesOfMachine,
}: GuardOptions): Guard {
  const exceptions = listOfNetworks(allowed)
  return {
    async addressesOf({ hostname }, name = hostname) {
      const literal = hostname.replace(/^\[(.*)\]$/, '$1')
      const addresses = isIP(literal) > 0 ? [literal] : await found(hostname, name, resolve)
      const own = listOfNetworks(ownAddresses())
      const rules = { exceptions, own }
      if (!addresses.every((address) => mayBeCalled(address, rules))) throw forbidden(name)
      return addresses
    },
  }
}

async function found(hostname: string, name: string, resolve: Resolve): Promise<readonly string[]> {
  const addresses = await resolve(hostname).catch((cause: unknown) => {
    throw unknownName(name, cause)
  })
  if (addresses.length === 0) throw unknownName(name)
  return addresses
}

/** The addresses can change while the service runs. */
function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).map(({ address }) => address),
  )
}

function unknownName(name: string, cause?: unknown): NotifyError {
  return new NotifyError(
    `${name} has no address: its name is unknown, or no name server responded`,
    { temporary: true, cause },
  )
}

/** The message does not name the address: it would reveal the service's network to users. */
function forbidden(name: string): NotifyError {
  const text =
    `${name} has an address that is not public, or is this machine, which this service does not call unless its ` +
    'operator allows it (NOTIFICATION_NETWORKS)'
  return new NotifyError(text, { temporary: false })
}

interface Rules {
  exceptions: BlockList
  own: BlockList
}

function mayBeCalled(address: string, { exceptions, own }: Rules): boolean {
  const plain = embeddedAddress(address) ?? address
  const version = isIP(plain)
  if (version === 0) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (exceptions.check(plain, family)) return true
  if (own.check(plain, family)) return false
  if (version === 4) return !closed.check(plain, family)
  return open.check(plain, family) && !closed.check(plain, family)
}

/**
 * The IPv4 address embedded in an IPv6 address that leads to it, either mapped or by NAT64. Undefined
 * for other addresses.
 */
function embeddedAddress(address: string): string | undefined {
  if (isIP(address) !== 6 || address.includes('%')) return undefined
  const groups = groupsOf(address)
  const prefix = groups.slice(0, 6).join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return undefined
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** The eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
function groupsOf(address: string): string[] {
  const shortest = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [front = [], back = []] = shortest
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...zeros, ...back]
}

/** In IPv6, only addresses that are routed between networks. */
const open = listOfNetworks(['2000::/3'])

/** Networks without public hosts: private, local, shared, reserved, for tests, multicast. */
const closed = listOfNetworks([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Tunnels, which lead to IPv4 addresses, and addresses for documentation.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])

/**
 * All addresses of a name, from the machine's hosts file or else from its name servers. The system's own
 * lookup would work too, but blocks one of the process's few threads while a server is silent.
 */
async function resolveName(name: string): Promise<string[]> {
  const known = addressesIn(await readFile('/etc/hosts', 'utf8').catch(() => ''), name)
  if (known.length > 0) return known
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  const [failure] = results
  if (found.length === 0 && failure.status === 'rejected') throw failure.reason
  return found
}

/** The addresses of a name in lines such as `10.1.0.7 chat chat.example.org # ours`. */
function addressesIn(hosts: string, name: string): string[] {
  const wanted = name.toLowerCase().replace(/\.$/, '')
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const isNamed = names.some((each) => each.toLowerCase() === wanted)
    return isNamed && isIP(address) > 0 ? [address] : []
  })
}
