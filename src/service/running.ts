import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SetupError } from '../domain/errors.ts'
import { isAlive } from './is-alive.ts'

export interface RunningService {
  url: string
  pid: number
  /** Token with which commands of the service's own user identify themselves. */
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
  running: Omit<RunningService, 'pid'>,
): Promise<() => Promise<void>> {
  const file = statusFile(dataDir)
  const content = JSON.stringify({ ...running, pid: process.pid } satisfies RunningService)
  // A file of an earlier process would keep its mode.
  await rm(file, { force: true })
  await writeFile(file, content, { mode: 0o600 })
  return async () => {
    const current = await readFile(file, 'utf8').catch(() => undefined)
    if (current === content) await rm(file, { force: true })
  }
}

/** If two services shared a data directory, commands and git hooks would find only one of them. */
export async function refuseSecond(dataDir: string): Promise<void> {
  const running = await findRunning(dataDir)
  // The port of a service that was killed may now belong to another service.
  if (!running || !isAlive(running.pid)) return
  throw new SetupError(
    `a service runs on the folder ${dataDir} already, at ${running.url} (process ${running.pid}): ` +
      'stop it, or set DATA_DIR to another folder',
  )
}

/** The service that runs on this data directory, if one does. */
export async function findRunning(dataDir: string): Promise<RunningService | undefined> {
  const text = await readFile(statusFile(dataDir), 'utf8').catch(undefinedIfMissing)
  if (text === undefined) return
  try {
    const running = JSON.parse(text) as RunningService
    const response = await fetch(`${running.url}/config`)
    return response.ok ? running : undefined
  } catch {
    return undefined
  }
}

/** An unreadable file belongs to a service of another user. */
function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw new SetupError(
    `the file of the running service cannot be read (${error.message}): call this command as the ` +
      'user that the service runs as',
    { cause: error },
  )
}
