import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { SetupError } from '../../domain/errors.ts'
import { secretFile } from './secret-file.ts'

export const masterKeyPath = (dataDir: string) => path.join(dataDir, 'master.key')

/** The key of `DATA_DIR/master.key` as hex digits, created at the first start. */
export function masterKeyFile(dataDir: string): Promise<string> {
  return secretFile(masterKeyPath(dataDir))
}

/**
 * Removes other users' access to the master key's file, and returns whether there was any. Throws if the
 * file belongs to another user.
 */
export async function closeMasterKey(dataDir: string): Promise<boolean> {
  const file = masterKeyPath(dataDir)
  const handle = await openKey(file)
  try {
    const found = await handle?.stat()
    if (!handle || !found || (found.mode & 0o077) === 0) return false
    if (found.uid !== process.geteuid?.()) throw notOurs(file)
    await handle.chmod(0o600)
    return true
  } finally {
    await handle?.close()
  }
}

async function openKey(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new SetupError(
      `the master key in ${file} cannot be read (${code}): make the user of the service its owner`,
      { cause: error },
    )
  }
}

function notOurs(file: string): SetupError {
  return new SetupError(
    `the master key in ${file} can be read by other users, and belongs to another one: give the file to ` +
      `the user that the service runs as (chown), with mode 600`,
  )
}
