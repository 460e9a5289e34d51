import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import path from 'node:path'
import { isAlive } from '../is-alive.ts'

/**
 * The id of the runner that uses this folder. It stays the same over restarts, so that a runner finds
 * the jobs and processes it left behind; each further runner in the same folder, also in another container,
 * has an id of its own there.
 */
export async function runnerId(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  for (let number = 1; ; number += 1) {
    const place = path.join(dataDir, number === 1 ? 'runner' : `runner-${number}`)
    const file = `${place}.json`
    const known = await readKnown(file)
    if (!(await hold(`${place}.sock`, known?.pid))) continue
    const id = known?.id ?? `${hostname()}-${randomBytes(4).toString('hex')}`
    await writeFile(file, JSON.stringify({ id, pid: process.pid }))
    socketsOfIds.set(id, `${place}.sock`)
    return id
  }
}

/**
 * Releases the id of a runner that has ended for other processes, although this process still runs.
 */
export async function releaseRunnerId(id: string): Promise<void> {
  const socket = socketsOfIds.get(id) ?? ''
  const server = held.get(socket)
  held.delete(socket)
  if (server) await new Promise((resolve) => server.close(resolve))
}

async function readKnown(file: string): Promise<{ id: string; pid: number } | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { id: string; pid: number }
  } catch {
    return undefined
  }
}

/** The sockets on which this process listens, and those of the ids that it had before. */
const held = new Map<string, Server>()
const socketsOfIds = new Map<string, string>()

/**
 * Holds a runner's id while this process lives, and returns false if another process holds it. It
 * listens at a socket beside the file, because in a container each process may get the same pid. If
 * no socket can be opened, the pid decides.
 */
async function hold(socket: string, pid: number | undefined): Promise<boolean> {
  if (held.has(socket)) return true
  const isPossible = Buffer.byteLength(socket) < longestSocket
  if (isPossible && (await answers(socket))) return false
  try {
    if (!isPossible) throw new Error('the path is too long')
    await rm(socket, { force: true })
    held.set(socket, await listening(socket))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    return pid === undefined || pid === process.pid || !isAlive(pid)
  }
}

/** Bytes of a path that systems refuse for a socket. */
const longestSocket = 104

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
  })
}

function listening(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy())
    server.once('error', reject)
    server.listen(socket, () => {
      server.unref()
      resolve(server)
    })
  })
}
