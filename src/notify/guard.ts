import { type BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { listOfNetworks, type Network } from '../config/networks.ts'
import { NotifyError } from './notify-error.ts'
import { resolveName } from './resolve-name.ts'

/** All addresses that a name has. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** What users give can name anything, the service's own machine and its neighbours included. */
export interface Guard {
  /**
   * The addresses that a URL stands for, each of which may be called. Throws a NotifyError without any,
   * and where one of them may not: who connects must use these, since the name can stand for others a
   * moment later. Errors say `name` for the host.
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

/** Lets only public addresses through, and those of some networks. */
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

/** They can change while the service runs. */
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

/** Which address it was is not said: that would tell users about the network of the service. */
function forbidden(name: string): NotifyError {
  const text =
    `${name} has an address that is not public, or is this machine, which this service does not call unless its ` +
    'operator allows that (NOTIFICATION_NETWORKS)'
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
 * The IPv4 address within an IPv6 address that leads to it: a mapped one, or one of NAT64. Undefined
 * for others.
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

/** Of IPv6 only what is routed between networks. */
const open = listOfNetworks(['2000::/3'])

/** What is there but belongs to no one else: private, local, shared, reserved, for tests, multicast. */
const closed = listOfNetworks([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Tunnels, which lead to IPv4 addresses, and what documents use.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
])
