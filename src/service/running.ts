import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SetupError } from '../domain/errors.ts'
import { isAlive } from './is-alive.ts'

export interface Running {
  url: string
  pid: number
  /** What commands of the service's own user identify themselves with. */
  token: string
  /** See `databaseMark`. */
  database: string
}

const statusFile = (dataDir: string) => path.join(dataDir, 'service.json')

/**
 * Stores where commands on this machine find the service of this data directory. Returns the function
 * that removes the file.
 */
export async function storeRunning(
  dataDir: string,
  running: Omit<Running, 'pid'>,
): Promise<() => Promise<void>> {
  const file = statusFile(dataDir)
  const content = JSON.stringify({ ...running, pid: process.pid } satisfies Running)
  // A file of an earlier process would keep its mode.
  await rm(file, { force: true })
  await writeFile(file, content, { mode: 0o600 })
  return async () => {
    const current = await readFile(file, 'utf8').catch(() => undefined)
    if (current === content) await rm(file, { force: true })
  }
}

/** Of two services on one data directory, commands and git hooks would find only one. */
export async function refuseSecond(dataDir: string): Promise<void> {
  const running = await findRunning(dataDir)
  // Another service may now listen on the port of one that was killed.
  if (!running || !isAlive(running.pid)) return
  throw new SetupError(
    `a service runs on the folder ${dataDir} already, at ${running.url} (process ${running.pid}): ` +
      'stop it, or set DATA_DIR to another folder',
  )
}

/** The service that runs on this data directory, if one does. */
export async function findRunning(dataDir: string): Promise<Running | undefined> {
  const text = await readFile(statusFile(dataDir), 'utf8').catch(undefinedIfMissing)
  if (text === undefined) return
  try {
    const running = JSON.parse(text) as Running
    const response = await fetch(`${running.url}/config`)
    return response.ok ? running : undefined
  } catch {
    return undefined
  }
}

/** A file that cannot be read is there for a service of another user. */
function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw new SetupError(
    `the file of the running service cannot be read (${error.message}): call this command as the ` +
      'user that the service runs as',
    { cause: error },
  )
}
