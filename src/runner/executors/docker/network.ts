import { addAbortSignal } from 'node:stream'
import type { Container } from 'dockerode'
import { quote } from '../../../script/shell/bash.ts'
import { startContainer, removeContainer } from './container.ts'
import { type Engine, statusOf } from './engine.ts'
import { labels } from './launch.ts'

/**
 * The network of all jobs of a runner, in which their containers cannot reach each other. It is
 * shared, because an engine has addresses for only some thirty networks.
 */
export async function openNetwork(engine: Engine, runner: string): Promise<string> {
  const name = `build-service-${runner}`
  try {
    await engine.createNetwork({
      Name: name,
      CheckDuplicate: true,
      Driver: 'bridge',
      Labels: { [labels.runner]: runner },
      Options: { 'com.docker.network.bridge.enable_icc': 'false' },
    })
  } catch (error) {
    if (statusOf(error) !== 409) throw error
  }
  return name
}

/** Private addresses of a machine's link, among them the address where cloud machines find their credentials. */
const linkLocal = '169.254.0.0/16'

export interface Guarded {
  image: string
  network: string
  labels: Record<string, string>
  hostname: string
  /** Further names of the loopback address. */
  hosts: readonly string[]
  /** Addresses and networks, as `10.0.0.1` or `10.0.0.0/8`. */
  refused: readonly string[]
  allowed: readonly string[]
}

/**
 * Starts the container whose network a job joins. It runs nothing else, so that the end of a job
 * cuts no other container's network. First it blocks the routes to the machine's own addresses, so
 * that the machine's firewall needs no rule for them.
 */
export async function openGuard(
  engine: Engine,
  { image, network, labels: mark, hostname, hosts, refused, allowed }: Guarded,
  signal: AbortSignal,
): Promise<Container> {
  const blocked = [linkLocal, ...refused].filter((each) => !allowed.includes(each))
  const { container, output } = await startContainer(
    engine,
    {
      Image: image,
      Entrypoint: ['bash', '--noprofile', '--norc', '-c'],
      Cmd: [guardProgram(blocked, allowed)],
      User: '0:0',
      Tty: true,
      Hostname: hostname,
      Labels: mark,
      HostConfig: {
        Init: true,
        NetworkMode: network,
        ExtraHosts: hosts.map((name) => `${name}:127.0.0.1`),
        // A socket that is bound to a device ignores blocked routes: with this setting, no response
        // arrives.
        Sysctls: { 'net.ipv4.conf.all.rp_filter': '1' },
        LogConfig: { Type: 'none', Config: {} },
        Memory: 64 * 1024 ** 2,
        PidsLimit: 16,
        CapDrop: ['ALL'],
        CapAdd: ['NET_ADMIN'],
        SecurityOpt: ['no-new-privileges'],
      },
    },
    [],
    signal,
  )
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestGuard)])
  try {
    const said = await firstLine(addAbortSignal(limit, output))
    if (said === 'ready') return container
    throw new Error(
      `the network of a job could not be restricted: ${said || 'its container ended'}`,
    )
  } catch (error) {
    // If that fails, `reap` finds it by its labels.
    await removeContainer(container).catch(() => {})
    signal.throwIfAborted()
    if (limit.aborted) {
      throw new Error('the network of a job could not be restricted in time', { cause: error })
    }
    throw error
  } finally {
    output.destroy()
  }
}

/** Milliseconds until a container has set the routes of a job, on a busy machine. */
const longestGuard = 60_000

async function firstLine(output: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const bytes of output) {
    text += Buffer.from(bytes).toString()
    const end = text.indexOf('\n')
    if (end !== -1) return text.slice(0, end).trim()
  }
  return text.trim()
}

function guardProgram(refused: readonly string[], allowed: readonly string[]): string {
  // Allowed routes come first: no route can lead through a gateway that is already blocked.
  const routes = [
    ...allowed.map((each) => `allow ${each}`),
    ...refused.map((each) => `refuse ${each}`),
  ]
  return [
    `perl -e ${quote(addRoutes)} ${routes.map(quote).join(' ')} || exit 1`,
    'echo ready',
    'exec sleep infinity >/dev/null 2>&1',
  ].join('\n')
}

/**
 * Adds routes by the system call, because images have perl, as a part of git, but no `ip`. A struct rtentry of
 * 64-bit Linux; 0x890B is SIOCADDRT, the flags are UP 1, GATEWAY 2, HOST 4, REJECT 0x200. A more
 * precise route wins, so an allowed address within a refused network is reached.
 */
const addRoutes = `
use strict; use Socket;
socket(my $socket, PF_INET, SOCK_DGRAM, 0) or die "no socket: $!\\n";
open(my $table, "<", "/proc/net/route") or die "no routes: $!\\n";
my ($gateway) = map { (split)[2] } grep { (split)[1] eq "00000000" } <$table>;
defined $gateway or die "no gateway\n";
sub address { pack("S n a4 x8", AF_INET, 0, $_[0]) }
for (@ARGV) {
  my ($verb, $to) = split / /;
  my ($host, $bits) = split m{/}, $to;
  $bits = 32 unless defined $bits;
  my $by = $verb eq "refuse" ? pack("x4") : pack("L", hex $gateway);
  next if $verb eq "allow" && inet_aton($host) eq $by;
  my $mask = $bits ? pack("N", 0xffffffff << (32 - $bits) & 0xffffffff) : pack("N", 0);
  my $target = inet_aton($host) & $mask;
  my $flags = 1 | ($bits == 32 ? 4 : 0) | ($verb eq "refuse" ? 0x200 : 2);
  my $route = pack("x8 a16 a16 a16 S x62", address($target), address($by), address($mask), $flags);
  ioctl($socket, 0x890B, $route) or $!{EEXIST} or die "$to: $!\\n";
}`

/**
 * The IPv4 addresses of the engine's machine, as a container in its network sees them. Loopback
 * addresses are left out: in a job they belong to its own loopback.
 */
export async function machineAddresses(
  engine: Engine,
  image: string,
  mark: Record<string, string>,
  signal: AbortSignal,
): Promise<string[]> {
  const { container, output, ended } = await startContainer(
    engine,
    {
      Image: image,
      Entrypoint: ['cat'],
      Cmd: ['/proc/net/fib_trie'],
      User: '65534:65534',
      Tty: true,
      Labels: mark,
      HostConfig: {
        NetworkMode: 'host',
        // An engine with user namespaces allows no container to use the machine's network.
        UsernsMode: 'host',
        LogConfig: { Type: 'none', Config: {} },
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
      },
    },
    [],
    signal,
  )
  try {
    let text = ''
    for await (const bytes of output) text += Buffer.from(bytes as Uint8Array).toString()
    const end = await ended
    if (end.kind !== 'exited' || end.code !== 0 || !text.includes('host LOCAL')) {
      throw new Error('the addresses of the machine could not be read')
    }
    const local = text.matchAll(/\|-- (\d+\.\d+\.\d+\.\d+)\s+\/32 host LOCAL/g)
    const found = [...new Set([...local].map(([, address = '']) => address))]
    return found.filter((address) => !address.startsWith('127.'))
  } finally {
    output.destroy()
    await removeContainer(container)
  }
}
