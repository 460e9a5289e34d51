import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The key of `DATA_DIR/master.key` as hex digits, created with mode 600 at the first start.
 * Processes that start at once get the same key.
 */
export async function masterKeyFile(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'master.key')
  await mkdir(dataDir, { recursive: true })
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }

  // A link to a complete file appears at once or not at all, and never replaces an existing one.
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
