import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type EmbeddedServer, startEmbedded } from '../../src/store/embedded/server.ts'

async function newRoot(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'attack-postgres-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return root
}

async function start(root: string): Promise<EmbeddedServer> {
  const server = await startEmbedded(root)
  onTestFinished(() => server.stop())
  return server
}

/** `in`, or the code of the error that a connection ends with. */
async function knock(connection: pg.PoolConfig): Promise<string | undefined> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  try {
    await client.connect()
    return 'in'
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await client.end().catch(() => {})
  }
}

const wrongPassword = '28P01'

/** Turns a cluster into one of a version that asked for no password. */
async function removePassword(root: string): Promise<void> {
  await writeFile(path.join(root, 'data', 'pg_hba.conf'), 'local all all trust\n')
  await rm(path.join(root, 'password'))
}

test('anyone who reaches the socket of the embedded server still needs its password', async () => {
  const root = await newRoot()
  const { connection } = await start(root)
  expect(await knock(connection)).toBe('in')
  for (const user of ['service', 'postgres']) {
    expect(await knock({ ...connection, user, password: 'guess' })).toBe(wrongPassword)
  }
  expect((await stat(path.join(root, 'password'))).mode & 0o777).toBe(0o600)
})

test('a data folder created without a password gets one at the next start', async () => {
  const root = await newRoot()
  const old = await start(root)
  const client = new pg.Client(old.connection)
  await client.connect()
  await client.query('create table kept (id int)')
  await client.query('alter role service password null')
  await client.end()
  await old.stop()
  await removePassword(root)

  const { connection } = await start(root)
  expect(connection.password).not.toBe(old.connection.password)
  expect(await knock(connection)).toBe('in')
  await expect.poll(() => knock({ ...connection, password: 'guess' })).toBe(wrongPassword)
  const again = new pg.Client(connection)
  await again.connect()
  expect((await again.query('select * from kept')).rows).toEqual([])
  await again.end()
})

test('a running server without a password, left by a crash, gets one as well', async () => {
  const root = await newRoot()
  const old = await start(root)
  await removePassword(root)
  const client = new pg.Client(old.connection)
  await client.connect()
  await client.query('select pg_reload_conf()')
  await client.end()
  await expect.poll(() => knock({ ...old.connection, password: 'guess' })).toBe('in')

  const { connection } = await start(root)
  expect(await knock(connection)).toBe('in')
  await expect.poll(() => knock({ ...connection, password: 'guess' })).toBe(wrongPassword)
})

test('a server whose password differs from the file is reported', async () => {
  const root = await newRoot()
  await start(root)
  const file = path.join(root, 'password')
  const password = await readFile(file, 'utf8')
  await writeFile(file, 'another\n')
  await expect(startEmbedded(root)).rejects.toThrow(`refuses the password of the file ${file}`)
  await writeFile(file, password)
})

test('the embedded server maps shared memory only to files in its own folder', async () => {
  const root = await newRoot()
  const { connection } = await start(root)
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('select 1')
  const [pid = ''] = (await readFile(path.join(root, 'data', 'postmaster.pid'), 'utf8')).split('\n')
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const maps = await Promise.all(
    [pid, ...children.split(' ').filter(Boolean)].map((id) => readFile(`/proc/${id}/maps`, 'utf8')),
  )
  await client.end()
  expect(maps.join('')).toContain(path.join(root, 'data', 'pg_dynshmem'))
  expect(maps.join('')).not.toContain('/dev/shm')
})
