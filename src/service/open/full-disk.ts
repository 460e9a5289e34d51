import { statfs } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { SetupError } from '../../domain/errors.ts'

/** Error codes of the system and of PostgreSQL. */
const codes: readonly unknown[] = ['ENOSPC', 'EDQUOT', '53100']

/** Messages of PostgreSQL's programs. */
const texts = /No space left on device|Check free disk space|Disk quota exceeded/

/** With less free space, a full disk counts as the cause of any failure. */
const leastBytes = 1024 ** 2

/** Does work that writes, and throws a clear error if the disk is too full for it. */
export async function onDiskWithRoom<T>(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isServers = config.databaseUrl !== undefined && codeOf(error) === '53100'
    if (isServers) {
      const message =
        'the disk of the database server in DATABASE_URL is full: free some space there, then start again'
      throw new SetupError(message, { cause: error })
    }
    if (!isOfFullDisk(error) && !(await isFull(config.dataDir))) throw error
    throw new SetupError(
      `the disk of the folder ${config.dataDir} is full: free some space there (a new installation needs ` +
        'about 100 MB), or set DATA_DIR to a folder on another disk, then start again',
      { cause: error },
    )
  }
}

function isOfFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codes.includes(codeOf(error)) || texts.test(error.message) || isOfFullDisk(error.cause)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}

async function isFull(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize < leastBytes
}
