import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SetupError } from '../domain/errors.ts'

interface Running {
  url: string
  pid: number
}

const noteIn = (dataDir: string) => path.join(dataDir, 'service.json')

/**
 * Notes where commands of this machine find the service of this data directory. Answers what takes
 * the note back.
 */
export async function noteRunning(dataDir: string, url: string): Promise<() => Promise<void>> {
  const file = noteIn(dataDir)
  const note = JSON.stringify({ url, pid: process.pid } satisfies Running)
  await writeFile(file, note)
  return async () => {
    const present = await readFile(file, 'utf8').catch(() => undefined)
    if (present === note) await rm(file, { force: true })
  }
}

/** The address of the service that runs on this data directory, if one does. */
export async function runningService(dataDir: string): Promise<string | undefined> {
  return (await findRunning(dataDir))?.url
}

/** Of two on one data directory, commands and git hooks would find only one. */
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
    const running = JSON.parse(await readFile(noteIn(dataDir), 'utf8')) as Running
    const answer = await fetch(`${running.url}/config`)
    return answer.ok ? running : undefined
  } catch {
    return undefined
  }
}

/** Another service may listen now where one that was killed did. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
