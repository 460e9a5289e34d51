import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isAlive } from '../service/is-alive.ts'
import { endAbandoned } from '../service/open/open-executor.ts'

/** The folder's name contains its process id, so that others notice when the process is gone. */
const nameForm = /^build-service-(?:demo|run)-(\d+)-/

/** The data folder inside a temporary folder. */
export const dataIn = (folder: string) => path.join(folder, 'data')

/**
 * Works in a new temporary folder, which is removed afterwards. First removes folders that killed
 * commands of this user have left behind.
 */
export async function inTemporaryFolder<T>(
  command: 'demo' | 'run',
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await removeAbandoned()
  const folder = await mkdtemp(path.join(tmpdir(), `build-service-${command}-${process.pid}-`))
  try {
    // Others can traverse it, so that jobs can run below it as separate users.
    await chmod(folder, 0o711)
    return await work(folder)
  } finally {
    await remove(folder)
  }
}

async function remove(folder: string): Promise<void> {
  await endAbandoned(dataIn(folder), process.env)
  await rm(folder, { recursive: true, force: true })
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = nameForm.exec(name)?.[1]
    const folder = path.join(tmpdir(), name)
    if (pid === undefined || isAlive(Number(pid)) || !(await isOurs(folder))) continue
    try {
      await remove(folder)
    } catch (error) {
      const reason = (error as Error).message
      console.error(`${folder}, left by a killed command, could not be removed: ${reason}`)
    }
  }
}

/** Whether a folder is ours: in a shared folder, others can create folders and links of any name. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}
