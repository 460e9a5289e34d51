import type { ContainerCreateOptions, HostConfig, MountSettings } from 'dockerode'
import { inColour } from '../../../domain/log/log-colours.ts'
import type { JobService } from '../../../script/services/requested-services.ts'
import { quote } from '../../../script/shell/bash.ts'
import { usualEnvironment } from '../environment.ts'
import { programCommand } from '../program-command.ts'
import type { Owner } from './archive.ts'
import { clientFolder } from './services/clients.ts'
import { serviceStandIn } from './services/stand-in.ts'

export const home = '/home/ci'

/** The resources that a container of an attempt can use. */
export interface ContainerLimits {
  memory_bytes: number | undefined
  cpus: number | undefined
  processes: number
}

/** Marks everything that belongs to a run, so that it is found after a crash. */
export function labelsOf(mark: {
  runner: string
  job: number
  run: string
}): Record<string, string> {
  return { [labels.runner]: mark.runner, [labels.job]: String(mark.job), [labels.run]: mark.run }
}

export const labels = {
  runner: 'build-service.runner',
  job: 'build-service.job',
  run: 'build-service.run',
} as const

/** Enough for apt, su and services of the system; neither mounts nor raw sockets. */
const capabilities = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL'],
  ...['SETGID', 'SETUID', 'SYS_CHROOT'],
]

interface Launch {
  image: string
  labels: Record<string, string>
  user: Owner
  limits: ContainerLimits
  /** A network's name, `none` or `container:ID`. */
  network: string
  /** The volume with the home; both steps share it. */
  volume: string
  hasKey: boolean
  /** Programs that the log lists if the image lacks them. */
  usual: readonly string[]
  input: string | undefined
  deadline_seconds: number
  /** The services beside the container, and the parts of them that it sees. */
  services: readonly JobService[]
  mounts: readonly MountSettings[]
  variables: Readonly<Record<string, string>>
}

/** The container of a step. PATH is the image's own: its language may live in a folder of its own. */
export function stepContainer(launch: Launch): ContainerCreateOptions {
  const { image, user, network, volume, input } = launch
  const variables = { ...environment(user, input), ...launch.variables }
  return {
    Image: image,
    Entrypoint: ['bash', '--noprofile', '--norc', '-c'],
    Cmd: [launcher(launch)],
    User: `${user.uid}:${user.gid}`,
    WorkingDir: '/',
    Tty: true,
    OpenStdin: false,
    Healthcheck: { Test: ['NONE'] },
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    Labels: launch.labels,
    ...(network.startsWith('container:') ? {} : { Hostname: `job-${launch.labels[labels.job]}` }),
    HostConfig: {
      ...confined(launch.limits),
      NetworkMode: network,
      Mounts: [
        {
          Type: 'volume',
          Source: volume,
          Target: home,
          // Otherwise the engine gives an empty volume the owner of the image's folder at each start.
          VolumeOptions: { NoCopy: true, Labels: {}, DriverConfig: { Name: 'local', Options: {} } },
        },
        ...launch.mounts,
      ],
    },
  }
}

/** Limits and privileges of every container that runs other people's programs. */
export function confined({ memory_bytes, cpus, processes }: ContainerLimits): HostConfig {
  return {
    Init: true,
    AutoRemove: false,
    LogConfig: { Type: 'none', Config: {} },
    ...(memory_bytes === undefined ? {} : { Memory: memory_bytes, MemorySwap: memory_bytes }),
    ...(cpus === undefined ? {} : { NanoCpus: Math.round(cpus * 1e9) }),
    PidsLimit: processes,
    CapDrop: ['ALL'],
    CapAdd: capabilities,
    SecurityOpt: ['no-new-privileges'],
  }
}

function environment({ uid }: Owner, input: string | undefined): Record<string, string> {
  const name = uid === 0 ? 'root' : 'ci'
  return {
    ...usualEnvironment,
    HOME: home,
    USER: name,
    LOGNAME: name,
    ...(input === undefined ? {} : { SERVICE_INPUT: input }),
  }
}

export const inputRoot = '/input'
export const programFile = '/job/build.sh'
export const keyFile = '/job/key'

/**
 * No official image contains sudo, and most build files with apt call it. The job is root, so the
 * stand-in need only drop the options, or switch to an account if one is named.
 */
const sudo = `#!/bin/bash
account=
while [[ \${1-} ]]; do
  case $1 in
    --) shift; break ;;
    --user=*) account=\${1#*=}; shift ;;
    --user) account=$2; shift 2 ;;
    --group|--prompt|--chdir|--close-from) shift 2 ;;
    --*) shift ;;
    -*u) account=$2; shift 2 ;;
    -*u*) account=\${1#*u}; shift ;;
    -*[gpCDhrtT]) shift 2 ;;
    -v|-k|-K|-l) exit 0 ;;
    -*) shift ;;
    [A-Za-z_]*=*) export "$1"; shift ;;
    *) break ;;
  esac
done
[[ \${1-} ]] || set -- "\${SHELL:-/bin/bash}"
[[ -z $account || $account == root || $account == '#0' ]] && exec "$@"
exec setpriv --reuid "\${account#[#]}" --regid "$(id -g "\${account#[#]}")" --init-groups "$@"
`

const standIn = `type -P sudo >/dev/null || {
  command -p mkdir -p /usr/local/bin
  builtin printf '%s' ${quote(sudo)} >/usr/local/bin/sudo && command -p chmod 755 /usr/local/bin/sudo
}`

/** The account of a service, for `sudo -u`: an id that no distribution assigns. */
function accountOf({ account, port }: JobService): string[] {
  if (account === undefined) return []
  const { name, home } = account
  return [
    `id ${name} >/dev/null 2>&1 || {`,
    `  builtin printf '%s\\n' '${name}:x:${port}:${port}::${home}:/bin/bash' >>/etc/passwd`,
    `  builtin printf '%s\\n' '${name}:x:${port}:' >>/etc/group`,
    '}',
  ]
}

/** Programs that build files of any language call. */
export const usualPrograms = ['git', 'curl']

/** The variables are not exported, so the job does not get them. */
function nameMissing(programs: readonly string[]): string {
  const text =
    'The image does not have %s. If the job needs it, install it in "before_install", or have an ' +
    'administrator name another image in the setting IMAGES.'
  return [
    'missing=',
    `for each in ${programs.join(' ')}; do`,
    '  type -P "$each" >/dev/null || missing+="${missing:+ and }$each"',
    'done',
    `[[ ! $missing ]] || printf ${quote(`${inColour('yellow', text)}\n`)} "$missing"`,
  ].join('\n')
}

/** Programs that read their input or the terminal would wait forever, so both are at their end. */
function launcher({ user, hasKey, usual, deadline_seconds, services }: Launch): string {
  return [
    'umask 022',
    // Set here and not by the engine, which refuses limits above its own. A machine with lower
    // limits is not an error.
    'ulimit -c 0 2>/dev/null',
    'ulimit -Sn 65536 2>/dev/null',
    'stty cols 160 rows 50 -icanon min 0 time 0 2>/dev/null',
    'exec </dev/null',
    ...(hasKey ? [`exec 4<${keyFile}`, `rm -f ${keyFile}`] : []),
    ...(user.uid === 0 ? [standIn, serviceStandIn(services), ...services.flatMap(accountOf)] : []),
    ...(services.length === 0 ? [] : [`PATH=$PATH:${clientFolder}`]),
    ...(usual.length === 0 ? [] : [nameMissing(usual)]),
    'cd "$HOME" || exit 2',
    // Ends the job if the service is gone by then.
    `if type -P timeout >/dev/null; then set -- timeout --foreground -s KILL ${deadline_seconds}; fi`,
    `exec "$@" ${programCommand(programFile)}`,
  ].join('\n')
}
