import { quote } from '../../../script/shell/bash.ts'
import { foldersAbove, type Hidden } from './hidden.ts'

export interface Tree {
  workspace: { folder: string }
  hidden: Hidden
}

/**
 * The arguments of `setpriv` that run a command in namespaces of its own: processes, mounts, and a
 * user without rights. `--pdeathsig` and `--kill-child`, so that it dies with the runner.
 */
export function treeCommand(tree: Tree, command: readonly string[]): string[] {
  return [
    ...['--pdeathsig', 'KILL', 'unshare', '--user', '--map-root-user'],
    ...['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'],
    ...['bash', '--noprofile', '--norc', '-c', outerScript(tree), 'bash', ...command],
  ]
}

/**
 * Covers what is hidden while it still may mount. The job gets a user namespace further inside: in
 * there it has no right to remove these mounts, nor in any that it creates itself.
 */
function outerScript({ workspace, hidden }: Tree): string {
  const at = quote(workspace.folder)
  return [
    'set -e',
    // The way to the workspace once its own path is covered.
    `cd -- ${at}`,
    // A mount point cannot be renamed. Without these a job could move a folder above what is hidden,
    // and the next job's covers would lie over a decoy.
    ...foldersAbove(hidden).map((folder) => `mount --rbind ${quote(folder)} ${quote(folder)}`),
    ...hidden.folders.map((folder) => `mount -t tmpfs -o mode=711,size=1m tmpfs ${quote(folder)}`),
    ...hidden.files.map((file) => `mount --bind /dev/null ${quote(file)}`),
    `mkdir -p -- ${at}`,
    `mount --no-canonicalize --bind . ${at}`,
    // From the working directory one could climb into what is covered.
    'cd /',
    'exec unshare --user --map-user=1000 --map-group=1000 "$@"',
  ].join('\n')
}
