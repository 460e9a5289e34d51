import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { isAlive } from '../is-alive.ts'

/**
 * The id of the runner that uses this folder. It stays the same over restarts, so that a runner finds
 * the jobs and processes it left behind; a second runner in the same folder gets an id of its own.
 */
export async function runnerId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'runner.json')
  const known = await readKnown(file)
  const id =
    known && !isOther(known.pid) ? known.id : `${hostname()}-${randomBytes(4).toString('hex')}`
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, JSON.stringify({ id, pid: process.pid }))
  return id
}

async function readKnown(file: string): Promise<{ id: string; pid: number } | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { id: string; pid: number }
  } catch {
    return undefined
  }
}

/** In a container each process may get the same pid: our own pid does not mean another process. */
function isOther(pid: number): boolean {
  return pid !== process.pid && isAlive(pid)
}
