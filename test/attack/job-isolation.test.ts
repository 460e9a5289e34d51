import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Running } from '../../src/runner/executor.ts'
import { type Level, levels } from '../../src/runner/executors/process/level.ts'
import { createSealer } from '../../src/secrets/seal.ts'
import { sealedIn } from '../../src/secrets/sealed-records.ts'
import { hashToken, newToken } from '../../src/secrets/token.ts'
import { processExecutor } from '../../src/service/open/open-executor.ts'
import {
  embeddedFolder,
  type EmbeddedServer,
  startEmbedded,
} from '../../src/store/embedded/server.ts'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { insertToken } from '../../src/store/tokens/tokens.ts'
import { factories } from '../support/factories.ts'
import { type Need, needs, ordinaryUser, rootUser } from '../support/needs.ts'
import { nodeForAll } from '../support/node-for-all.ts'
import { cellsOfTable, columnOf } from './levels-table.ts'
import { outputOf } from './output-of.ts'

// Each cell of the table of levels in docs/running.md is proven here: a job tries the attack of the
// row, at the level and as the user of the column.

/**
 * The parts of an attacked service: its data, a key outside of its folder, a process, and other
 * jobs.
 */
let dataDir: string
let account: string
let database: EmbeddedServer
let victim: ChildProcess
let socket: Server
let port: Server
/** The secrets that no job can see unless it can read the files that contain them. */
let secrets: string[]
/** All output of jobs during a test. */
let printed: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'attack-data-'))
  account = await mkdtemp(path.join(tmpdir(), 'attack-account-'))
  await chmod(dataDir, 0o711)
  await chmod(account, 0o711)
  await writeFile(path.join(dataDir, 'master.key'), `${masterKey}\n`, { mode: 0o600 })
  await mkdir(path.join(dataDir, 'work'), { mode: 0o711 })
  await writeFile(path.join(account, 'app.pem'), 'the private key\n', { mode: 0o600 })
  await mkdir(path.join(account, 'objects'), { mode: 0o711 })
  await writeFile(path.join(account, 'profile'), 'of the account\n', { mode: 0o600 })
  await writeFile(path.join(account, 'public'), 'for all\n', { mode: 0o644 })
  database = await startEmbedded(path.join(dataDir, 'postgres'))
  const { session } = await peopleIn(database)
  // The service holds a session in memory while it serves the call with it.
  victim = spawn('sleep', ['600'], {
    env: { WEBHOOK_SECRET: 'the webhook secret', SESSION: session },
  })
  const password = await readFile(path.join(dataDir, 'postgres/password'), 'utf8')
  secrets = [
    ...[masterKey, password.trim(), 'the webhook secret', session, 'the private key'],
    ...['of another job', 'a-person-of-the-service'],
  ]
  socket = await listening(path.join(account, 'other.sock'))
  await chmod(path.join(account, 'other.sock'), 0o666)
  port = await listening({ port: 0, host: '127.0.0.1' })
})

beforeEach(() => {
  printed = ''
})

afterAll(async () => {
  victim.kill()
  socket.close()
  port.close()
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
  await rm(account, { recursive: true, force: true })
})

function listening(at: string | { port: number; host: string }): Promise<Server> {
  // A client that leaves without reading resets the connection: jobs of other test files also try
  // sockets.
  const server = createServer((connection) => connection.on('error', () => {}).end('welcome\n'))
  server.on('error', () => {})
  return new Promise((resolve) => server.listen(at as { port: number }, () => resolve(server)))
}

function executorAt(level: Level) {
  const executor = processExecutor(
    {
      dataDir,
      privateKeyPath: path.join(account, 'app.pem'),
      places: [pathToFileURL(path.join(account, 'objects')).href],
    },
    { runnerId: `attack-${process.pid}-${level}`, levels: [level] },
  )
  onTestFinished(() => executor.close())
  return executor
}

let runs = 0

/** Runs a script as a job, and returns what it printed. */
async function run(level: Level, script: string, limits = {}): Promise<string> {
  const running = await start(level, script, limits)
  const chunks: Uint8Array[] = []
  for await (const chunk of running.output) chunks.push(chunk)
  await running.dispose()
  const text = Buffer.concat(chunks).toString().replaceAll('\r\n', '\n')
  printed += text
  return text
}

function start(level: Level, script: string, limits = {}): Promise<Running> {
  runs += 1
  return executorAt(level).start(
    {
      job_id: runs,
      run_id: `${runs}-1`,
      steps: [{ name: 'job', script }],
      inputs: [],
      limits,
      network: true,
      deadline_seconds: 60,
    },
    new AbortController().signal,
  )
}

const masterKey = randomBytes(32).toString('base64')
const sealer = createSealer(Buffer.from(masterKey, 'base64'))
const sealedId = randomUUID()
const valueOfTheSettings = 'a-value-of-the-settings'

/** Fills the database with users and their data, and writes it all to disk. */
async function peopleIn({ connection }: EmbeddedServer): Promise<{ session: string }> {
  const { db, close } = openDatabase(connection, () => {})
  await migrate(db, migrations)
  const make = factories(db)
  const user = await make.user('a-person-of-the-service')
  const repository = await make.repository()
  await make.permission(user, repository, 'admin')
  const session = newToken()
  const known = { user_id: user.id, name: null, scopes: [], expires_at: null }
  await insertToken(db, { ...known, hash: hashToken(session), purpose: 'session' })
  const sealed_value = sealer.sealText(sealedIn.envVar(sealedId), valueOfTheSettings)
  await db
    .insertInto('env_vars')
    .values({ id: sealedId, repository_id: repository.id, name: 'A', sealed_value })
    .execute()
  const sealed = sealer.sealText(sealedIn.sshKey(repository.id), 'a-private-key-of-the-settings')
  await db
    .insertInto('ssh_keys')
    .values({ repository_id: repository.id, fingerprint: null, sealed_value: sealed })
    .execute()
  await sql`checkpoint`.execute(db)
  await close()
  return { session }
}

const nodePath = nodeForAll()
const node = (program: string) => `${nodePath} -e '${program.replaceAll("'", '"')}' 2>&1`

/** A script that logs in to the embedded database, if it finds the socket and the password. */
async function login(): Promise<string> {
  const { host, user } = database.connection
  const program = await readFile(path.join(import.meta.dirname, 'postgres-login.cjs'), 'utf8')
  const files = `${host}/.s.PGSQL.5432 ${dataDir}/postgres/password`
  return `cat > login.cjs <<'END'\n${program}\nEND\n${nodePath} login.cjs ${user} ${files} 2>&1`
}

function isRunning(command: string): boolean {
  const all = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
  return all.split('\n').some((line) => !line.startsWith('Z') && line.includes(command))
}

/** Whether a job can do what a row of the table says. */
const attacks: Readonly<Record<string, (level: Level) => Promise<boolean>>> = {
  async 'read `DATA_DIR`: the master key, the database, other jobs'(level) {
    const other = path.join(dataDir, 'work', 'other+1+1-1')
    await mkdir(other, { recursive: true, mode: 0o700 })
    await writeFile(path.join(other, 'build.sh'), 'of another job\n', { mode: 0o600 })
    const files = `${dataDir}/master.key ${dataDir}/postgres/password ${other}/build.sh`
    const rows = `grep -rhao a-person-of-the-service ${dataDir}/postgres | head -1`
    const text = await run(level, `cat ${files}; ls -R ${dataDir}; ${rows}`)
    const password = await readFile(path.join(dataDir, 'postgres/password'), 'utf8')
    const found = [masterKey, password.trim(), 'of another job', 'a-person-of-the-service']
    const seen = found.filter((secret) => text.includes(secret))
    expect([0, found.length]).toContain(seen.length)
    return seen.length > 0
  },

  async 'log in to the embedded database'(level) {
    return (await run(level, await login())).includes('logged in')
  },

  async 'read the environment of the service'(level) {
    const script = `cat /proc/[0-9]*/environ /proc/${victim.pid}/environ | tr '\\0' '\\n'`
    return (await run(level, script)).includes('the webhook secret')
  },

  async 'stop processes of the service'(level) {
    const other = spawn('sleep', ['600'])
    await run(level, `kill -9 ${other.pid}; sleep 0.1`)
    const stopped = other.signalCode === 'SIGKILL'
    other.kill()
    return stopped
  },

  async 'change the memory that programs of the service’s account share'(level) {
    const file = `/dev/shm/attack-${process.pid}`
    await writeFile(file, 'shared', { mode: 0o600 })
    const segment =
      /\d+/.exec(execFileSync('ipcmk', ['-M', '6', '-p', '600']).toString())?.[0] ?? ''
    await run(level, `truncate -s 0 ${file}; ipcrm -m ${segment}`)
    const isCut = (await readFile(file, 'utf8')) === ''
    const segments = execFileSync('ipcs', ['-m'], { encoding: 'utf8' })
    const isRemoved = !segments.split('\n').some((line) => line.split(/ +/)[1] === segment)
    await rm(file)
    if (!isRemoved) execFileSync('ipcrm', ['-m', segment])
    expect(isRemoved).toBe(isCut)
    return isCut
  },

  async 'write to the terminals of other jobs'(level) {
    const other = await start(level, 'echo "up on $(tty)"; sleep 60')
    const chunks: string[] = []
    const reading = (async () => {
      for await (const chunk of other.output) chunks.push(Buffer.from(chunk).toString())
    })()
    await vi.waitFor(() => expect(chunks.join('')).toMatch(/up on \/dev\/pts\/\d/), 20_000)
    const [, terminal] = /up on (\/dev\/pts\/\d+)/.exec(chunks.join('')) ?? []
    await run(level, `echo "forged by a job" > ${terminal}; sleep 0.2`)
    await other.dispose()
    await reading
    return chunks.join('').includes('forged by a job')
  },

  async 'leave a process behind'(level) {
    const nap = `sleep 5${process.pid}.${runs}1`
    const ways = ['', 'setsid', 'env -i setsid', 'SERVICE_RUN=fake setsid']
    await run(
      level,
      `${ways.map((way) => `(${way} ${nap} >/dev/null 2>&1 &)`).join('; ')}; sleep 0.2`,
    )
    const left = isRunning(nap)
    execFileSync('bash', ['-c', `pkill -KILL -x -f '${nap}' || true`])
    return left
  },

  async 'see the processes of this machine'(level) {
    return (await run(level, 'cat /proc/[0-9]*/cmdline | tr "\\0" " "')).includes('sleep 600')
  },

  async 'read and change other files of the service’s account'(level) {
    const file = path.join(account, 'profile')
    await run(level, `cat ${file} && echo changed > ${file}`)
    const changed = (await readFile(file, 'utf8')) === 'changed\n'
    await writeFile(file, 'of the account\n')
    return changed
  },

  async 'read the file of `PRIVATE_KEY_PATH`'(level) {
    return (await run(level, `cat ${account}/app.pem`)).includes('the private key')
  },

  async 'read, forge and delete finished logs in the folder of `OBJECT_STORE_URL`'(level) {
    const file = path.join(account, 'objects', 'log.gz')
    await writeFile(file, 'of a finished log\n', { mode: 0o600 })
    const text = await run(level, `cat ${file}; echo forged >> ${file}; rm -f ${file}`)
    const isKept = existsSync(file) && (await readFile(file, 'utf8')) === 'of a finished log\n'
    expect(isKept).toBe(!text.includes('of a finished log'))
    return !isKept
  },

  async 'read files of this machine that all users may read, outside of `/usr`, `/etc` and `/opt`'(
    level,
  ) {
    return (await run(level, `cat ${account}/public`)).includes('for all')
  },

  async 'use sockets of other services that all users may use'(level) {
    const program = `require('net').connect('${account}/other.sock').on('data', (data) => console.log(String(data)))`
    return (await run(level, node(program))).includes('welcome')
  },

  async 'use the network, and local services on it'(level) {
    const address = (port.address() as AddressInfo).port
    return (await run(level, `cat < /dev/tcp/127.0.0.1/${address}`)).includes('welcome')
  },

  async 'start more than 1,024 processes'(level) {
    const fork = 'for i in $(seq 60); do sleep 9 >/dev/null 2>&1 & done 2>&1 | grep -c -m1 retry'
    return !(await run(level, fork, { processes: 30 })).includes('1')
  },
}

const table = cellsOfTable()

test('the table of levels lists exactly the attacks in this file', () => {
  expect([...table.keys()]).toEqual(Object.keys(attacks))
  for (const columns of table.values()) {
    expect([...columns.keys()]).toEqual(['`sandbox`', '`tree`', '`none`', '`none`, as root'])
  }
})

describe.each(levels)('at level %s', (level) => {
  for (const [row, columns] of table) {
    const cell = columns.get(columnOf(level))
    // As root, jobs run as separate users, which adds protection.
    const fits = cell === 'yes' && level !== 'none' ? needs(ordinaryUser) : {}
    test(`a job can ${row}, or not, as docs/running.md says`, fits, async ({ skip }) => {
      const { ok, says } = await executorAt(level).probe()
      skip(!ok, says)
      expect((await attacks[row]?.(level)) ? 'yes' : 'no').toBe(cell)
      const kept = cell === 'no' ? secrets : []
      expect(kept.filter((secret) => printed.includes(secret))).toEqual([])
    })
  }
})

test("a process that can read the master key and the database can decrypt users' secrets", async () => {
  const key = (await readFile(path.join(dataDir, 'master.key'), 'utf8')).trim()
  const { db, close } = openDatabase(database.connection, () => {})
  onTestFinished(close)
  const { sealed_value } = await db.selectFrom('env_vars').selectAll().executeTakeFirstOrThrow()
  const opened = createSealer(Buffer.from(key, 'base64')).openText(
    sealedIn.envVar(sealedId),
    sealed_value,
  )
  expect(opened).toBe(valueOfTheSettings)
})

test('the login to the embedded database succeeds if nothing is hidden', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'attack-login-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const text = execFileSync('bash', ['-c', await login()], { cwd: folder, encoding: 'utf8' })
  expect(text).toBe('logged in\n')
})

const shownNode: Need = {
  tests: 'of node in a sandbox',
  missing: /^\/(usr|opt)\//.test(nodePath) ? undefined : 'node is in no folder that sandboxes show',
}

test('a sandbox can run the program of the attacks', needs(shownNode), async ({ skip }) => {
  const { ok, says } = await executorAt('sandbox').probe()
  skip(!ok, says)
  const program = 'require("net"); console.log("it " + "runs")'
  expect(await run('sandbox', `${nodePath} -e '${program}'`)).toBe('it runs\n')
})

describe.each(['sandbox', 'tree'] as const)('at level %s', (level) => {
  test('a job without a limit of its own can start 1,024 processes', async ({ skip }) => {
    const { ok, says } = await executorAt(level).probe()
    skip(!ok, says)
    expect(await run(level, 'ulimit -u; ulimit -Hu')).toBe('1024\n1024\n')
  })
})

describe.each(['sandbox', 'tree'] as const)('at level %s', (level) => {
  test('a job has /dev/shm to itself, and can write there', async ({ skip }) => {
    const { ok, says } = await executorAt(level).probe()
    skip(!ok, says)
    const file = `/dev/shm/attack-${process.pid}-other`
    await writeFile(file, 'of another program')
    onTestFinished(() => rm(file))
    expect(await run(level, 'ls -A /dev/shm; echo own > /dev/shm/a; cat /dev/shm/a')).toBe('own\n')
  })

  test('a job cannot remove the socket of the embedded server, even in the temporary folder', async ({
    skip,
  }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'attack-socket-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const dataDir = path.join(folder, 'a-name-with-which-paths-get-too-long-for-sockets'.repeat(2))
    await chmod(folder, 0o711)
    await mkdir(dataDir, { mode: 0o711 })
    const server = await startEmbedded(embeddedFolder(dataDir))
    onTestFinished(() => server.stop())
    const host = String(server.connection.host)
    onTestFinished(() => rm(host, { recursive: true, force: true }))
    expect(path.dirname(host)).toBe(tmpdir())
    const executor = processExecutor(
      { dataDir, privateKeyPath: undefined },
      { runnerId: 'attack', levels: [level] },
    )
    onTestFinished(() => executor.close())
    const { ok, says } = await executor.probe()
    skip(!ok, says)
    const script = `rm -rf ${host}/* ${host}/.s*; echo tried`
    expect(await outputOf(executor, [{ name: 'job', script }])).toContain('tried')
    expect(existsSync(path.join(host, '.s.PGSQL.5432'))).toBe(true)
  })
})

const uncovering = {
  'unmounts the cover': 'unshare -Urm umount -l DATA; unshare -Urm cat KEY',
  'mounts its own root': 'unshare -Urm bash -c "mount --bind / /mnt && cat /mnt/KEY"',
  'climbs out of its home':
    'cd -P "$HOME"; cat ../../../master.key; ls ../..; cd ../..; cat ../master.key',
  'looks through other processes': 'cat /proc/*/root/KEY /proc/*/cwd/../../../master.key',
  'enters other namespaces': 'nsenter -t 1 -m cat KEY; nsenter -t 1 -U -m cat KEY',
  'mounts another /proc': 'unshare -Urmpf bash -c "mount -t proc proc /proc; cat /proc/1/root/KEY"',
}

describe.each(['sandbox', 'tree'] as const)('at level %s a job does not see DATA_DIR', (level) => {
  test.for(Object.entries(uncovering))('when it %s', async ([, script], { skip }) => {
    const { ok, says } = await executorAt(level).probe()
    skip(!ok, says)
    const attack = script.replaceAll('KEY', `${dataDir}/master.key`).replaceAll('DATA', dataDir)
    expect(await run(level, attack)).not.toContain('other+1')
    expect(printed).not.toContain(masterKey)
  })

  // Only root can create such folders.
  test('when DATA_DIR is in /opt, which sandboxes can see', needs(rootUser), async ({ skip }) => {
    const folder = await mkdtemp('/opt/attack-')
    onTestFinished(() => rm(folder, { recursive: true }))
    await chmod(folder, 0o711)
    await writeFile(path.join(folder, 'shown'), 'the master key\n')
    const objects = await mkdtemp('/opt/attack-objects-')
    onTestFinished(() => rm(objects, { recursive: true }))
    await chmod(objects, 0o755)
    await writeFile(path.join(objects, 'log'), 'a finished log\n')
    const executor = processExecutor(
      { dataDir: folder, privateKeyPath: undefined, places: [pathToFileURL(objects).href] },
      { runnerId: 'attack', levels: [level] },
    )
    onTestFinished(() => executor.close())
    const { ok, says } = await executor.probe()
    skip(!ok, says)
    const text = await outputOf(executor, [
      { name: 'job', script: `cat ${folder}/shown; cat ${objects}/log; echo over` },
    ])
    expect(text).toMatch(/No such file[^]*No such file[^]*over/)
  })
})
