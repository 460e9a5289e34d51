import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { type EmbeddedServer, startEmbedded } from '../../src/store/embedded/server.ts'
import { needs, rootUser } from '../support/needs.ts'

const folders: string[] = []
const servers: EmbeddedServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, 'build-service-embedded-'))
  folders.push(folder)
  return folder
}

async function start(root: string): Promise<EmbeddedServer> {
  const server = await startEmbedded(root)
  servers.push(server)
  return server
}

async function ask<T extends pg.QueryResultRow>(
  { connection }: EmbeddedServer,
  text: string,
): Promise<T[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

const pidOf = (root: string) =>
  readFileSync(path.join(root, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]

describe('the embedded server', () => {
  test('starts in an empty folder, and is shared by later starts', async () => {
    const root = path.join(newFolder(), 'deep', 'er')
    const first = await start(root)
    await ask(first, 'create table kept (id int)')
    const pid = pidOf(root)
    const second = await start(root)
    expect(pidOf(root)).toBe(pid)
    expect(await ask(second, 'select * from kept')).toEqual([])
  })

  test('is started once by several concurrent starts', async () => {
    const root = newFolder()
    const all = await Promise.all([start(root), start(root), start(root)])
    for (const server of all) expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('keeps its data over a stop and a start', async () => {
    const root = newFolder()
    const first = await start(root)
    await ask(first, 'create table kept (id int)')
    await first.stop()
    expect(existsSync(path.join(root, 'data', 'postmaster.pid'))).toBe(false)
    expect(await ask(await start(root), 'select count(*)::int as n from kept')).toEqual([{ n: 0 }])
  })

  test('is not stopped while another process uses it', async () => {
    const root = newFolder()
    const child = await startElsewhere(root)
    const server = await start(root)
    await server.stop()
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  test('is stopped with its last user, even if connections are still open', async () => {
    const root = newFolder()
    const all = await Promise.all([start(root), start(root), start(root)])
    const open = new pg.Client(all[0]?.connection)
    open.on('error', () => {})
    await open.connect()
    await Promise.all(all.map((server) => server.stop()))
    expect(existsSync(path.join(root, 'data', 'postmaster.pid'))).toBe(false)
  })

  test('is restarted for a process that starts it while it is being stopped', async () => {
    const root = newFolder()
    const first = await start(root)
    const [, second] = await Promise.all([first.stop(), start(root)])
    expect(await ask(second, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('starts again although a crash left its lock files behind', async () => {
    const root = newFolder()
    await start(root)
    process.kill(Number(pidOf(root)), 'SIGKILL')
    expect(await ask(await start(root), 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('works in a folder whose path is too long for a socket', async () => {
    const root = path.join(newFolder(), 'a'.repeat(60), 'b'.repeat(60))
    const server = await start(root)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    folders.push(String(server.connection.host))
  })
})

// Only root must switch to another account.
describe('started by root', needs(rootUser), () => {
  test('runs below a folder that only root can enter', async () => {
    const closed = newFolder()
    chmodSync(closed, 0o700)
    const server = await start(path.join(closed, 'postgres'))
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('runs under another account if the kernel has no user namespaces', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o755)
    const root = path.join(folder, 'postgres')
    const server = await startEmbedded(root, { namespaces: false })
    servers.push(server)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(path.join(root, 'data')).uid).not.toBe(0)
  })
})

test('survives the death of the process that started it', async () => {
  const root = newFolder()
  const child = await startElsewhere(root)
  const pid = pidOf(root)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await ask(await start(root), 'select 1 as one')).toEqual([{ one: 1 }])
  expect(pidOf(root)).toBe(pid)
})

/** Starts the server from a separate process, and leaves it running. */
async function startElsewhere(root: string): Promise<ChildProcess> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(path.resolve('src/store/embedded/server.ts'))}
    await startEmbedded(${JSON.stringify(root)})
    console.log('started')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const _chunk of child.stdout) return child
  throw new Error('the process ended before it had started the server')
}
