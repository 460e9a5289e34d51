import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The secret in this file as hex digits: 32 random bytes, created with mode 600 if the file is missing.
 * Two processes that start at the same time get the same secret.
 */
export async function secretFile(file: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true })
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }

  // A link to a complete file appears atomically or not at all, and never replaces an existing file.
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    await link(fresh, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await unlink(fresh)
  }
  return (await readFile(file, 'utf8')).trim()
}
