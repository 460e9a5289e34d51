import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bareEnvironment } from './environment.ts'
import { isRoot, probeUser } from './job-user.ts'
import { runProgram } from './program.ts'

/** The folder below which runs have theirs. Others may pass through it, but not list it. */
export interface Place {
  folder: string
  /** Set when it is not the one of the settings. */
  warning?: string
}

/**
 * Creates the work directory, or one below the system's temporary folder when the users that jobs
 * run as cannot get there. Throws a sentence when neither is possible.
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
    `${wanted} lies in a folder that is closed to the users jobs run as; jobs work in ${other} ` +
    'instead. Choose a DATA_DIR that others may pass through (mode 0711)'
  return { folder: other, warning }
}

async function open(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const found = await lstat(folder)
  // In a temporary folder any user could have put something there before us.
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) {
    throw new Error(`${folder} is not a folder of ours; remove it or choose another DATA_DIR`)
  }
  await chmod(folder, 0o711)
}

/** Whether users that jobs run as can enter a folder. */
export async function canBeReached(folder: string): Promise<boolean> {
  if (!isRoot()) return true
  const { code } = await runProgram('bash', ['-c', 'cd -- "$1"', 'bash', folder], {
    env: bareEnvironment,
    user: probeUser,
  })
  return code === 0
}

/** The same in each life of the service, so that leftovers of an earlier one can be found. */
function shortName(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 12)
}
