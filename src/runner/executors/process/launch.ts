import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { quote } from '../../../script/shell/bash.ts'
import { inputFolder } from '../inputs.ts'
import { programCommand } from '../program-command.ts'
import type { Way } from './level.ts'
import { contains, type Hidden } from './masked-paths.ts'
import type { Tools } from './tools.ts'
import { treeCommand } from './tree.ts'
import type { Workspace } from './workspace.ts'

export interface Launch {
  workspace: Workspace
  job_id: number
  /** The folder of this step, with `build.sh` in it. */
  step_folder: string
  /** Whether the step sees the inputs. */
  with_inputs: boolean
  ssh_key: string | undefined
  network: boolean
  processes: number
  hidden: Hidden
  tools: Tools
  /** Files with secrets in the folders of tools: paths in the sandbox, which hides their content. */
  secrets: readonly string[]
}

/** The paths that a step sees; a sandbox has its own paths. */
export interface StepPaths {
  home: string
  script: string
  input: string | undefined
}

export function seenBy({ level }: Way, launch: Launch): StepPaths {
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

/** The command that runs a step in its isolation. It writes `up` to descriptor 3 once inside. */
export function launchCommand(way: Way, launch: Launch): [command: string, args: string[]] {
  const inside = [...bash, launcher(way, launch)]
  if (way.level === 'sandbox') return ['bwrap', [...sandbox(way, launch), '--', ...inside]]
  if (way.level === 'tree') return ['setpriv', treeCommand(launch, inside)]
  // Otherwise a set-uid program left by another job would gain its owner's privileges.
  return way.sealed ? ['setpriv', ['--no-new-privs', ...inside]] : ['bash', inside.slice(1)]
}

const bash = ['bash', '--noprofile', '--norc', '-c']

/**
 * The outermost shell of a job stays until the end: it may be the first process of a pid namespace. The
 * job's own shell must not be the first one, because `kill -9 $$` would have no effect there.
 */
function launcher(way: Way, launch: Launch): string {
  const keepsKey = launch.ssh_key === undefined ? '' : '|| [ "$fd" -eq 4 ] '
  const run = way.terminal
    ? `script -qfec ${quote(inTerminal(way, launch))} /dev/null`
    : `${program(way, launch)} </dev/null 2>&1`
  return [
    'printf up >&3',
    // Closes descriptor 3 and the descriptors that the service itself inherited.
    `for fd in /dev/fd/*; do fd=\${fd##*/}; [ "$fd" -le 2 ] ${keepsKey}|| eval "exec $fd>&-"; done`,
    'umask 022',
    // A machine with lower limits is not an error.
    'ulimit -c 0 2>/dev/null',
    'ulimit -n 4096 2>/dev/null',
    ...(limitsProcesses(way) ? [`ulimit -u ${launch.processes} 2>/dev/null`] : []),
    'cd "$HOME" || exit 2',
    // It may get the TERM that is meant for the job; other than an ignored signal, this is not inherited.
    'trap : TERM',
    run,
    'exit $?',
  ].join('\n')
}

function inTerminal(way: Way, launch: Launch): string {
  return `stty cols 160 rows 50 2>/dev/null; ${program(way, launch, 'exec ')}`
}

/** Programs that isolate the job are looked up in system folders only; the job's own lines search more. */
function program(way: Way, launch: Launch, exec = ''): string {
  const { script } = seenBy(way, launch)
  return `PATH=${quote(launch.tools.path)} ${exec}${programCommand(script)}`
}

/** Whether a command line is of the launcher: such processes end once the shell of the job has ended. */
export function isOfLauncher(way: Way, launch: Launch): (command: readonly string[]) => boolean {
  const outer = launcher(way, launch)
  const terminal = inTerminal(way, launch)
  // Processes around the outermost shell name it at their end; `script` names its log last.
  return (command) => command.at(-1) === outer || command.at(-2) === terminal
}

/** The limit counts per user namespace; without one it would count all processes of the service's user. */
export function limitsProcesses({ level }: Way): boolean {
  return level !== 'none'
}

const temporaryBytes = String(1024 ** 3)

function sandbox(way: Way, { workspace, job_id, step_folder, network, ...launch }: Launch) {
  const size = way.recent ? ['--size', temporaryBytes] : []
  const homes = ownHomes().filter(isShown)
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', ...(network ? [] : ['--unshare-net'])],
    ...['--uid', '1000', '--gid', '1000', '--hostname', `job-${job_id}`],
    ...['--die-with-parent', ...(way.recent ? ['--disable-userns'] : [])],
    ...systemFolders(),
    ...['--ro-bind', '/etc', '/etc', '--ro-bind-try', '/opt', '/opt'],
    ...['--ro-bind', `${workspace.folder}/passwd`, '/etc/passwd'],
    ...['--ro-bind', `${workspace.folder}/group`, '/etc/group'],
    // Sockets in `/run` would lead out of the sandbox: access to docker.sock is equivalent to root.
    ...['--tmpfs', '/run', ...nameServers(), '--proc', '/proc', '--dev', '/dev'],
    ...[...size, '--tmpfs', '/tmp', ...size, '--tmpfs', '/var/tmp', '--dir', '/home'],
    ...['--bind', workspace.home, '/home/ci', '--ro-bind', step_folder, '/job'],
    ...(launch.with_inputs ? ['--ro-bind', inputFolder(workspace), '/input'] : []),
    ...homes.flatMap((home) => ['--tmpfs', home]),
    ...shown(launch.tools, launch.secrets, homes),
    ...covers(launch.hidden),
    ...['--chdir', '/home/ci'],
  ]
}

const topFolders = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].map((name) => `/${name}`)
const shownFolders = ['/usr', '/etc', '/opt', ...topFolders]

/**
 * Shows no folder that contains hidden files, and covers the secrets of version managers. Folders within
 * the system's folders are there already, except within homes.
 */
function shown(tools: Tools, secrets: readonly string[], homes: readonly string[]): string[] {
  const isThere = (name: string) =>
    (isShown(name) || shownFolders.includes(name)) && !homes.some((home) => contains(home, name))
  const others = tools.shown.filter(({ at, folder }) => ![at, folder].every(isThere))
  return [
    ...others.flatMap(({ at, folder }) => ['--ro-bind', folder, at]),
    ...secrets.flatMap((file) => ['--ro-bind-try', '/dev/null', file]),
  ]
}

/** Most hidden files and folders are not in a sandbox anyway. */
function covers({ folders, files }: Hidden): string[] {
  return [
    ...folders.filter(isShown).flatMap((folder) => ['--tmpfs', folder]),
    ...files.filter(isShown).flatMap((file) => ['--ro-bind', '/dev/null', file]),
  ]
}

/** Paths that a launch must cover, because jobs of this level would see them otherwise. */
export function coveredAt({ level }: Way, { folders, files, missing }: Hidden): string[] {
  if (level === 'none') return []
  const all = [...folders, ...files, ...missing]
  return level === 'tree' ? all : all.filter(isShown)
}

function isShown(name: string): boolean {
  return shownFolders.some((folder) => contains(folder, name))
}

/** `/usr`, and `/bin` and similar folders: as links if they are links, else as folders. */
function systemFolders(): string[] {
  const besides = topFolders.flatMap((folder) => {
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

/** The homes of the account that runs the service, if it owns them, as paths without links. */
function ownHomes(): string[] {
  const found = [homedir(), userInfo().homedir].flatMap((name) => {
    try {
      const folder = realpathSync(name)
      // System accounts may have a folder of programs as their home.
      return statSync(folder).uid === process.getuid?.() && folder !== '/' ? folder : []
    } catch {
      return []
    }
  })
  return [...new Set(found)]
}
