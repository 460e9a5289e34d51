import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { connectQueues } from '../../src/queue/connection.ts'
import { openQueues } from '../../src/queue/queue.ts'
import { openWorker } from '../../src/queue/work.ts'
import { startEmbedded } from '../../src/store/embedded/server.ts'
import { checkConnection, openDatabase } from '../../src/store/sql/connection.ts'
import { isUnreachable } from '../../src/store/sql/unreachable.ts'
import { eventually } from '../support/app-story.ts'
import { ownDatabase } from '../support/database.ts'
import { dyingPostgres } from '../support/dying-postgres.ts'

const { db, connection } = await ownDatabase()

/** Ends all other connections to the database, as a restart of its server does. */
async function dropConnections(): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
  `.execute(db)
}

const unhandled: unknown[] = []
const note = (error: unknown) => void unhandled.push(error)
process.on('uncaughtException', note)

afterEach(() => {
  const [first] = unhandled.splice(0)
  if (first !== undefined) throw first
})

test('a connection that breaks within a transaction ends the transaction, not the process', async () => {
  const { db: other, close } = openDatabase(connection, () => {})
  onTestFinished(close)
  const work = other.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    await dropConnections()
    await eventually(async () => {
      const { rows } = await sql<{ others: number }>`
        select count(*)::int as others from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
      `.execute(db)
      expect(rows).toEqual([{ others: 0 }])
    })
    await sql`select 2`.execute(tx)
  })
  const error = await work.catch((reason: unknown) => reason)
  expect(isUnreachable(error)).toBe(true)
  expect((await sql`select 3 as three`.execute(other)).rows).toEqual([{ three: 3 }])
})

test('the queue in PostgreSQL continues after its connections were dropped', async () => {
  const to = await connectQueues({ database: connection, redisUrl: undefined, onError() {} }, 1)
  const queues = await openQueues(to, () => {})
  const seen: number[] = []
  const worker = await openWorker('request.accept', to, {
    concurrency: 2,
    attempts: 1,
    pause: 10,
    process: async ({ request_id }) => void seen.push(request_id),
    onError() {},
  })
  onTestFinished(async () => {
    await worker.close()
    await queues.close()
    await to.close()
  })
  for (const request_id of [1, 2, 3]) {
    await dropConnections()
    await eventually(() => queues.enqueue('request.accept', { request_id }))
    // An entry that was being handed out is stalled; the worker checks again after a minute.
    await eventually(() => expect(seen).toContain(request_id), 100)
  }
}, 400_000)

describe('a server that drops new connections', () => {
  test('does not end the process that checks the connection', async () => {
    const server = await dyingPostgres({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    await expect(checkConnection({ host: '127.0.0.1', port, user: 'x' })).rejects.toThrow(
      'cannot be used',
    )
  })

  test('is restarted if it is embedded', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'faults-dying-'))
    const folder = path.join(root, 'socket')
    await mkdir(folder)
    const dying = await dyingPostgres({ path: path.join(folder, '.s.PGSQL.5432') })
    dying.on('connection', () => dying.close())
    const server = await startEmbedded(root)
    onTestFinished(async () => {
      await server.stop()
      await rm(root, { recursive: true })
    })
    await expect(checkConnection(server.connection)).resolves.toBeUndefined()
  })
})

test.each([
  ['no server', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), true],
  ['no socket', Object.assign(new Error(), { code: 'ENOENT', syscall: 'connect' }), true],
  ['a missing file', Object.assign(new Error(), { code: 'ENOENT', syscall: 'open' }), false],
  ['a server that stops', Object.assign(new Error(), { code: '57P01' }), true],
  ['a duplicate', Object.assign(new Error(), { code: '23505' }), false],
  ['a broken connection', new Error('Connection terminated unexpectedly'), true],
  ['a bug', new TypeError('x is undefined'), false],
])('whether an error means that the database is unreachable: %s', (_what, error, expected) => {
  expect(isUnreachable(error)).toBe(expected)
})
