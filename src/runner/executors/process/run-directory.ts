import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bareEnvironment } from '../environment.ts'
import { isRoot, probeUser } from '../job-user.ts'
import { runProgram } from '../program.ts'

/** The folder that contains the folders of runs. Other users may pass through it, but not list it. */
export interface Place {
  folder: string
  /** Set when the folder is not the one from the settings. */
  warning?: string
}

/**
 * Creates the work directory, or a directory below the system's temporary folder if the users of jobs
 * cannot reach the work directory. Throws an error for the operator when neither is possible.
 */
export async function findPlace(workDir: string): Promise<Place> {
  const wanted = path.resolve(workDir)
  await open(wanted)
  if (await canBeReached(wanted)) return { folder: wanted }

  const other = path.join(tmpdir(), `build-service-${shortName(wanted)}`)
  await open(other)
  if (!(await canBeReached(other))) {
    throw new Error(`jobs can reach neither ${wanted} nor ${other}; choose another DATA_DIR`)
  }
  const warning =
    `the accounts that run jobs cannot enter ${wanted}, or a folder above it, so jobs work in ` +
    `${other} instead. Choose a DATA_DIR that other users can enter (mode 0711)`
  return { folder: other, warning }
}

async function open(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const found = await lstat(folder)
  // In a temporary folder, another user could have created this path first.
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) {
    throw new Error(
      `${folder} was not created by the service; remove it or choose another DATA_DIR`,
    )
  }
  await chmod(folder, 0o711)
}

/** The given folders that the users of jobs can enter; one program tries them all. */
export async function reachable(folders: readonly string[]): Promise<ReadonlySet<string>> {
  if (!isRoot()) return new Set(folders)
  const command = 'for folder; do cd -- "$folder" 2>/dev/null && printf 1 || printf 0; done'
  const { text } = await runProgram('bash', ['-c', command, 'bash', ...folders], {
    env: bareEnvironment,
    user: probeUser,
  })
  // A shell may print a warning about its locale first.
  const marks = text.slice(-folders.length)
  return new Set(folders.filter((_folder, index) => marks[index] === '1'))
}

async function canBeReached(folder: string): Promise<boolean> {
  return (await reachable([folder])).has(folder)
}

/** Shared by all processes of the service, so that leftovers of earlier processes can be found. */
function shortName(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 12)
}
