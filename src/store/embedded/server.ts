// Only this file, its tools and its password know how the embedded PostgreSQL runs.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { SetupError } from '../../domain/errors.ts'
import { createClient } from '../sql/client.ts'
import { initialPassword, passwordOf, requirePassword } from './password.ts'
import { allMeans, type Tools, toolsFor } from './tools.ts'

const user = 'service'
const database = 'build_service'
// A socket's path can have 107 bytes; `/.s.PGSQL.5432.lock` must fit after the folder.
const longestSocketFolder = 85

/** The folder in which the embedded server of a data folder keeps everything. */
export function embeddedFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres')
}

export interface EmbeddedServer {
  connection: pg.PoolConfig
  /** Resolves when the server has ended, or has dropped its connections. */
  gone: Promise<void>
  /** Stops the server, unless another process still uses it. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server in `root`, or finds the server already running there. Needs no set-up and
 * survives `kill -9` of this process. Throws a sentence that says what to do.
 */
export async function startEmbedded(root: string, means = allMeans): Promise<EmbeddedServer> {
  const tools = await toolsFor(root, means)
  const data = path.join(root, 'data')
  const host = socketFolder(root)
  const password = await passwordOf(root, data, tools)
  const server = { root, data, tools, connection: { host, user, database, password } }

  for (let tries = 1; ; tries++) {
    if (!(await responds(server))) {
      await tools.makeFolder(host)
      await initialize(server)
      await start(server)
    }
    try {
      const user = await use(server)
      const gone = new Promise<void>((resolve) => user.once('end', () => resolve()))
      return { connection: server.connection, gone, stop: () => stop(data, user) }
    } catch (error) {
      // The server may have responded just before its last user stopped it.
      if (tries === 3) throw error
    }
  }
}

interface Server {
  root: string
  data: string
  tools: Tools
  connection: { host: string; user: string; database: string; password: string }
}

/** The folder of the socket: in `root`, or for a long path a folder whose name is derived from the path. */
export function socketFolder(root: string): string {
  const near = path.join(root, 'socket')
  if (Buffer.byteLength(near) <= longestSocketFolder) return near
  const name = createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16)
  return path.join(tmpdir(), `build-service-${name}`)
}

async function initialize({ root, data, tools }: Server): Promise<void> {
  if (existsSync(path.join(data, 'PG_VERSION'))) return
  const fresh = await mkdtemp(path.join(root, 'initdb-'))
  await tools.own(fresh)
  const created = await tools.run('initdb', [
    ...['-D', fresh, '-U', user, '-E', 'UTF8', '--locale=C', ...initialPassword(root)],
    '--no-instructions',
    // A fresh cluster holds nothing yet: after a crash now it is created again.
    '--no-sync',
  ])
  if (created.code !== 0)
    throw new SetupError(`PostgreSQL could not create its files in ${root}: ${created.text}`)
  try {
    await rename(fresh, data)
  } catch {
    await rm(fresh, { recursive: true }) // another process was faster
  }
}

async function start(server: Server): Promise<void> {
  const { data, tools } = server
  const socket = server.connection.host
  if (await anotherStarts(await realpath(data), server)) return
  await removeStaleLock(path.join(data, 'postmaster.pid'))
  await removeStaleLock(path.join(socket, '.s.PGSQL.5432.lock'))
  const log = path.join(data, 'server.log')
  // Shared memory is in files below `data`: at level `tree`, jobs of the same account could truncate the
  // files in /dev/shm, which kills the server.
  const started = await tools.run('pg_ctl', [
    ...['-D', data, '-w', '-t', '60', '-l', log, 'start', '-o'],
    `-c listen_addresses='' -c unix_socket_directories='${socket}' ` +
      '-c unix_socket_permissions=0700 -c max_connections=200 ' +
      '-c dynamic_shared_memory_type=mmap',
  ])
  for (let tries = 0; tries < 40; tries++) {
    if (await responds(server)) return
    await pause(250)
  }
  throw new SetupError(`PostgreSQL did not start: ${started.text.trim()}. Its log is ${log}`)
}

/**
 * Waits while processes of a server work in this folder: a server that is being started, or remains of a
 * killed server, which must be gone before its lock is removed. True when it responds.
 */
async function anotherStarts(data: string, server: Server): Promise<boolean> {
  for (let tries = 0; tries < 240 && isWorkedIn(data); tries++) {
    if (await responds(server)) return true
    await pause(125)
  }
  return responds(server)
}

/** The server's processes have its data as their working folder. */
function isWorkedIn(folder: string): boolean {
  if (!existsSync('/proc/self')) return false
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes.some((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder && isPostgres(pid)
    } catch {
      return false
    }
  })
}

/** After a crash the recorded pid may be a zombie or another program; the server would not start. */
async function removeStaleLock(file: string): Promise<void> {
  if (!existsSync(file) || !existsSync('/proc/self')) return
  const pid = (await readFile(file, 'utf8')).split('\n')[0] ?? ''
  if (isPostgres(pid)) return
  await rm(file, { force: true })
}

function isPostgres(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres')
  } catch {
    return false
  }
}

/** Throws if a server runs whose password differs from the password on file. */
async function responds({ root, connection }: Server): Promise<boolean> {
  const client = createClient({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as pg.DatabaseError).code !== invalidPassword) return false
    const file = path.join(root, 'password')
    throw new SetupError(
      `the embedded PostgreSQL in ${root} refuses the password of the file ${file}: restore that ` +
        'file; or remove it, end the server, and start again, which sets a new one',
    )
  } finally {
    await client.end().catch(() => {})
  }
}

const invalidPassword = '28P01'

async function createDatabase(client: pg.Client): Promise<void> {
  const text = `select from pg_database where datname = '${database}'`
  if ((await client.query(text)).rows.length > 0) return
  try {
    await client.query(`create database ${database}`)
  } catch (error) {
    const code = (error as pg.DatabaseError).code
    // Another process created the database meanwhile, or is about to: its catalogue row is half-way
    // there.
    if (code !== '42P04' && code !== '23505') throw error
  }
}

/** All users of the server share this lock; the process that gets it exclusively is the last user. */
const inUse = `hashtextextended('build-service: in use', 2)`

/** A connection that keeps others from stopping the server; it ends with this process. */
async function use({ connection, data, tools }: Server): Promise<pg.Client> {
  const client = createClient({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${inUse})`)
    await requirePassword(client, { data, tools, password: connection.password })
    await createDatabase(client)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function stop(data: string, user: pg.Client): Promise<void> {
  if (await isLast(user)) await shutDown(data)
  await user.end().catch(() => {})
}

/**
 * Whether this process has to shut the server down. If several processes end together, exactly one of
 * them gets the lock: the last to unlock, unless another one was faster.
 */
async function isLast(user: pg.Client): Promise<boolean> {
  try {
    await user.query(`select pg_advisory_unlock_shared(${inUse})`)
    const { rows } = await user.query<{ got: boolean }>(
      `select pg_try_advisory_lock(${inUse}) as got`,
    )
    return rows[0]?.got === true
  } catch {
    return false // the server is gone
  }
}

/** Stops the server of a folder that no process uses, if it runs, and removes its socket. */
export async function stopAbandoned(root: string): Promise<void> {
  const data = path.join(root, 'data')
  await removeStaleLock(path.join(data, 'postmaster.pid'))
  await shutDown(data)
  await rm(socketFolder(root), { recursive: true, force: true })
}

async function shutDown(data: string): Promise<void> {
  const lock = path.join(data, 'postmaster.pid')
  if (!existsSync(lock)) return
  process.kill(Number(readFileSync(lock, 'utf8').split('\n')[0]), 'SIGINT')
  for (let tries = 0; tries < 400 && existsSync(lock); tries++) await pause(25)
}
