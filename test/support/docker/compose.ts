import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parse } from 'yaml'

export const deploy = path.resolve(import.meta.dirname, '../../../deploy')

interface ComposeService {
  build?: object
  image: string
  restart: string
  init?: boolean
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  env_file?: string[]
  environment?: Record<string, string>
  networks: string[]
  depends_on?: Record<string, { condition: string }>
  command?: string[]
  ports?: string[]
  volumes: string[]
  group_add?: string[]
  stop_grace_period?: string
  healthcheck?: { test: string[]; interval: string; retries: number }
}

interface ComposeFile {
  name: string
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean }>
  volumes: Record<string, object>
}

interface Given {
  /** The environment by which `docker` finds the engine. */
  env: Record<string, string>
  socket: string
  /** Stands for `service.env`. */
  envFile: string
  /** Values of the file's own variables. */
  variables: Readonly<Record<string, string>>
  /** The folder for the program in the images that the file builds. */
  program: string
}

const run = promisify(execFile)

const known: ReadonlySet<string> = new Set([
  ...['build', 'image', 'restart', 'init', 'read_only', 'tmpfs', 'cap_drop', 'security_opt'],
  ...['env_file', 'environment', 'networks', 'depends_on', 'command', 'ports', 'volumes'],
  ...['group_add', 'stop_grace_period', 'healthcheck'],
])

/**
 * Starts what `deploy/compose.yml` describes with the `docker` command, because Debian 12 has no Compose. Throws at
 * keys that it does not know. Differs from the file in the port, the socket and the program's folder.
 */
export function readCompose({ env, socket, envFile, variables, program }: Given) {
  const text = readFileSync(path.join(deploy, 'compose.yml'), 'utf8')
  const filled = text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => variables[name] ?? '')
  const {
    name: project,
    services,
    networks,
    volumes,
  } = parse(filled, { merge: true }) as ComposeFile

  const docker = async (...args: string[]) => (await run('docker', args, { env })).stdout.trim()
  const containerOf = (name: string) => `${project}-${name}-1`

  async function createNetworks(): Promise<void> {
    for (const [name, network] of Object.entries(networks)) {
      const internal = network.internal === true ? ['--internal'] : []
      await docker('network', 'create', ...internal, `${project}_${name}`)
    }
    for (const name of Object.keys(volumes)) await docker('volume', 'create', `${project}_${name}`)
  }

  function mountsOf({ volumes: all, build }: ComposeService): string[] {
    const mounts = all.map((each) => {
      const [from = '', to = ''] = each.split(':')
      return `${from === '/var/run/docker.sock' ? socket : `${project}_${from}`}:${to}`
    })
    return build === undefined ? mounts : [...mounts, `${program}:/app:ro`]
  }

  function optionsOf(service: ComposeService): string[] {
    const unknown = Object.keys(service).filter((key) => !known.has(key))
    if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`)
    const { init, read_only, healthcheck, environment = {}, env_file = [], restart } = service
    const { tmpfs, cap_drop, security_opt, group_add, ports, stop_grace_period } = service
    const each = (option: string, values: readonly string[] = []) =>
      values.flatMap((value) => [option, value])
    return [
      ...each('--restart', [restart]),
      ...(init === true ? ['--init'] : []),
      ...(read_only === true ? ['--read-only'] : []),
      ...each('--tmpfs', tmpfs),
      ...each('--cap-drop', cap_drop),
      ...each('--security-opt', security_opt),
      ...each('--group-add', group_add),
      ...each(
        '--publish',
        ports?.map((port) => port.replace(/^([\d.]+):\d+:/, '$1::')),
      ),
      ...each('--volume', mountsOf(service)),
      ...each(
        '--env-file',
        env_file.map(() => envFile),
      ),
      ...each(
        '--env',
        Object.entries(environment).map((pair) => pair.join('=')),
      ),
      ...(stop_grace_period === '1m' ? ['--stop-timeout', '60'] : []),
      ...(healthcheck ? healthOf(healthcheck) : []),
    ]
  }

  async function startOne(name: string, service: ComposeService): Promise<void> {
    for (const other of Object.keys(service.depends_on ?? {})) await healthy(other)
    const [first = '', ...others] = service.networks.toSorted()
    const joins = ['--network', `${project}_${first}`, '--network-alias', name]
    const words = [service.image, ...(service.command ?? [])]
    await docker('create', '--name', containerOf(name), ...joins, ...optionsOf(service), ...words)
    for (const network of others) {
      await docker(
        'network',
        'connect',
        '--alias',
        name,
        `${project}_${network}`,
        containerOf(name),
      )
    }
    await docker('start', containerOf(name))
  }

  async function healthy(name: string): Promise<void> {
    for (;;) {
      const state = await docker('inspect', '-f', '{{.State.Health.Status}}', containerOf(name))
      if (state === 'healthy') return
      if (state === 'unhealthy') throw new Error(await docker('logs', containerOf(name)))
      await pause(200)
    }
  }

  return {
    docker,
    createNetworks,
    containerOf,
    async start(): Promise<void> {
      const waits = ([, { depends_on }]: [string, ComposeService]) => (depends_on ? 1 : 0)
      const inOrder = Object.entries(services).toSorted((a, b) => waits(a) - waits(b))
      for (const [name, service] of inOrder) await startOne(name, service)
    },
    addressOf: (name: string, network: string) =>
      docker(
        'inspect',
        '-f',
        `{{(index .NetworkSettings.Networks "${project}_${network}").IPAddress}}`,
        containerOf(name),
      ),
    gatewayOf: (network: string) =>
      docker(
        'network',
        'inspect',
        '-f',
        '{{(index .IPAM.Config 0).Gateway}}',
        `${project}_${network}`,
      ),
  }
}

function healthOf({ test, interval, retries }: NonNullable<ComposeService['healthcheck']>) {
  const [kind, ...words] = test
  if (kind !== 'CMD') throw new Error(`a test of the kind ${kind}`)
  const command = ['--health-cmd', words.join(' '), '--health-interval', interval]
  return [...command, '--health-retries', String(retries)]
}
