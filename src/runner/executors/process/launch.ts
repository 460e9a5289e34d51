import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { quote } from '../../../script/bash.ts'
import { inputFolder } from './inputs.ts'
import type { Way } from './level.ts'
import type { Workspace } from './workspace.ts'

export interface Launch {
  workspace: Workspace
  job_id: number
  /** The folder of this step, with `build.sh` in it. */
  step_folder: string
  /** Whether the step sees the inputs. */
  with_inputs: boolean
  network: boolean
  processes: number
}

/** Where a step finds its things; a sandbox gives them other names. */
export interface Seen {
  home: string
  script: string
  input: string | undefined
}

export function seenBy({ level }: Way, launch: Launch): Seen {
  if (level === 'sandbox') {
    const input = launch.with_inputs ? '/input' : undefined
    return { home: '/home/ci', script: '/job/build.sh', input }
  }
  return {
    home: launch.workspace.home,
    script: `${launch.step_folder}/build.sh`,
    input: launch.with_inputs ? inputFolder(launch.workspace) : undefined,
  }
}

/** The command that runs a step in its isolation. It says `up` on descriptor 3 once it is inside. */
export function launchCommand(way: Way, launch: Launch): [command: string, args: string[]] {
  const inside = ['bash', '--noprofile', '--norc', '-c', launcher(way, launch)]
  if (way.level === 'sandbox') return ['bwrap', [...sandbox(way, launch), '--', ...inside]]
  if (way.level === 'tree') return ['setpriv', [...tree, ...inside]]
  return ['bash', inside.slice(1)]
}

/**
 * The outermost shell of a job stays until the end: it may be the first process of a pid namespace,
 * which the job's own shell must not be, since there `kill -9 $$` has no effect.
 */
function launcher(way: Way, launch: Launch): string {
  const { script } = seenBy(way, launch)
  const program = `bash --noprofile --norc ${quote(script)}`
  const inTerminal = `stty cols 160 rows 50 2>/dev/null; exec ${program}`
  const run = way.terminal
    ? `script -qfec ${quote(inTerminal)} /dev/null`
    : `${program} </dev/null 2>&1`
  return [
    'printf up >&3',
    // Descriptor 3, and what the service itself was started with and never knew of.
    'for fd in /dev/fd/*; do fd=${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done',
    'umask 022',
    // A machine that allows less than this is no reason to fail.
    'ulimit -c 0 2>/dev/null',
    'ulimit -n 4096 2>/dev/null',
    ...(limitsProcesses(way) ? [`ulimit -u ${launch.processes} 2>/dev/null`] : []),
    'cd "$HOME" || exit 2',
    run,
    'exit $?',
  ].join('\n')
}

/** Counted per user namespace; without one it would count all that the service's user runs. */
export function limitsProcesses({ level }: Way): boolean {
  return level !== 'none'
}

/** `--pdeathsig` and `--kill-child`, so that nothing is left when the runner is killed. */
const tree = [
  ...['--pdeathsig', 'KILL', 'unshare', '--user', '--map-user=1000', '--map-group=1000'],
  ...['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'],
]

const temporaryBytes = String(1024 ** 3)

function sandbox(way: Way, { workspace, job_id, step_folder, network, ...launch }: Launch) {
  const size = way.recent ? ['--size', temporaryBytes] : []
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', ...(network ? [] : ['--unshare-net'])],
    ...['--uid', '1000', '--gid', '1000', '--hostname', `job-${job_id}`],
    ...['--die-with-parent', ...(way.recent ? ['--disable-userns'] : [])],
    ...systemFolders(),
    ...['--ro-bind', '/etc', '/etc', '--ro-bind-try', '/opt', '/opt'],
    ...['--ro-bind', `${workspace.folder}/passwd`, '/etc/passwd'],
    ...['--ro-bind', `${workspace.folder}/group`, '/etc/group'],
    // Sockets in here would be doors to the machine: docker.sock is as good as root.
    ...['--tmpfs', '/run', ...nameServers(), '--proc', '/proc', '--dev', '/dev'],
    ...[...size, '--tmpfs', '/tmp', ...size, '--tmpfs', '/var/tmp', '--dir', '/home'],
    ...['--bind', workspace.home, '/home/ci', '--ro-bind', step_folder, '/job'],
    ...(launch.with_inputs ? ['--ro-bind', inputFolder(workspace), '/input'] : []),
    ...['--chdir', '/home/ci'],
  ]
}

/** `/usr`, and `/bin` and its like as links into it, or as they are where they are none. */
function systemFolders(): string[] {
  const besides = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].flatMap((name) => {
    const folder = `/${name}`
    if (!existsSync(folder)) return []
    if (!lstatSync(folder).isSymbolicLink()) return ['--ro-bind', folder, folder]
    return ['--symlink', readlinkSync(folder), folder]
  })
  return ['--ro-bind', '/usr', '/usr', ...besides]
}

/** `/etc/resolv.conf` often is a link into `/run`, which is empty in a sandbox. */
function nameServers(): string[] {
  try {
    const file = realpathSync('/etc/resolv.conf')
    return file.startsWith('/etc/') ? [] : ['--ro-bind-try', file, file]
  } catch {
    return []
  }
}
