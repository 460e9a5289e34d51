import { quote } from '../../../script/shell/bash.ts'
import { foldersAbove, type Hidden } from './masked-paths.ts'

const sharedMemory = ['/dev/shm', '/dev/mqueue']
const ofJob = 'mode=1777,size=1g,nosuid,nodev'
const ofTerminals = 'newinstance,ptmxmode=666,mode=620,nosuid,noexec'

export interface Tree {
  workspace: { folder: string }
  hidden: Hidden
}

/**
 * The arguments of `setpriv` that run a command in namespaces of its own: processes, mounts, shared
 * memory, terminals, and a user without rights. `--pdeathsig` and `--kill-child`, so that it dies with the runner.
 */
export function treeCommand(tree: Tree, command: readonly string[]): string[] {
  return [
    ...['--pdeathsig', 'KILL', 'unshare', '--user', '--map-root-user'],
    ...['--mount', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'],
    ...['bash', '--noprofile', '--norc', '-c', outerScript(tree), 'bash', ...command],
  ]
}

/**
 * Covers hidden files and folders while mounting is still permitted. The job gets a user namespace
 * further inside, where it has no right to remove these mounts, even in namespaces of its own.
 */
function outerScript({ workspace, hidden }: Tree): string {
  const at = quote(workspace.folder)
  return [
    'set -e',
    // Keeps a way to the workspace after its own path is covered.
    `cd -- ${at}`,
    // A mount point cannot be renamed. Without these mounts, a job could move a folder above a hidden
    // one, and the next job's covers would hide a decoy.
    ...foldersAbove(hidden).map((folder) => `mount --rbind ${quote(folder)} ${quote(folder)}`),
    ...hidden.folders.map((folder) => `mount -t tmpfs -o mode=711,size=1m tmpfs ${quote(folder)}`),
    ...hidden.files.map((file) => `mount --bind /dev/null ${quote(file)}`),
    // A namespace has its own queues and System V memory, but these files are the machine's.
    ...sharedMemory.map(
      (folder) => `[ ! -d ${folder} ] || mount -t tmpfs -o ${ofJob} tmpfs ${folder}`,
    ),
    // Jobs of the same account could write to each other's terminals, and stop them.
    `[ ! -d /dev/pts ] || mount -t devpts -o ${ofTerminals} devpts /dev/pts`,
    `mkdir -p -- ${at}`,
    `mount --no-canonicalize --bind . ${at}`,
    // From the working directory, a job could climb into the covered folders.
    'cd /',
    'exec unshare --user --map-user=1000 --map-group=1000 "$@"',
  ].join('\n')
}
