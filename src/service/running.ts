import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SetupError } from '../domain/errors.ts'

interface Running {
  url: string
  pid: number
}

const statusFile = (dataDir: string) => path.join(dataDir, 'service.json')

/**
 * Stores where commands on this machine find the service of this data directory. Returns the function
 * that removes the file.
 */
export async function storeRunning(dataDir: string, url: string): Promise<() => Promise<void>> {
  const file = statusFile(dataDir)
  const content = JSON.stringify({ url, pid: process.pid } satisfies Running)
  await writeFile(file, content)
  return async () => {
    const current = await readFile(file, 'utf8').catch(() => undefined)
    if (current === content) await rm(file, { force: true })
  }
}

/** The address of the service that runs on this data directory, if one does. */
export async function runningService(dataDir: string): Promise<string | undefined> {
  return (await findRunning(dataDir))?.url
}

/** Of two services on one data directory, commands and git hooks would find only one. */
export async function refuseSecond(dataDir: string): Promise<void> {
  const running = await findRunning(dataDir)
  if (!running || !isAlive(running.pid)) return
  throw new SetupError(
    `a service runs on the folder ${dataDir} already, at ${running.url} (process ${running.pid}): ` +
      'stop it, or set DATA_DIR to another folder',
  )
}

async function findRunning(dataDir: string): Promise<Running | undefined> {
  try {
    const running = JSON.parse(await readFile(statusFile(dataDir), 'utf8')) as Running
    const response = await fetch(`${running.url}/config`)
    return response.ok ? running : undefined
  } catch {
    return undefined
  }
}

/** Another service may now listen on the port of one that was killed. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
