import { Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { endWhenLost } from '../../src/store/sql/stalled-connections.ts'
import { ownDatabase } from '../support/database.ts'
import { swallowingProxy } from '../support/swallowing-proxy.ts'

const { connection } = await ownDatabase()
const silence = 100

/** A database that is reached through a proxy, over one connection. */
async function behindProxy() {
  const { host, port, user, database, password } = new pg.Client(connection)
  const isFolder = host.startsWith('/')
  const proxy = await swallowingProxy(
    isFolder ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
  )
  const settings = { user, database, password, host: '127.0.0.1', port: proxy.port }
  const opened = openDatabase(
    { ...settings, onConnect: endWhenLost(settings, silence) },
    () => {},
    1,
  )
  onTestFinished(async () => {
    await opened.close()
    await proxy.close()
  })
  return { proxy, db: opened.db }
}

const one = sql<{ one: number }>`select 1 as one`

test('a query whose response is lost fails, and the next one gets a new connection', async () => {
  const { proxy, db } = await behindProxy()
  await one.execute(db)
  proxy.swallow()
  await expect(one.execute(db)).rejects.toThrow('PostgreSQL has not answered for 0.1 seconds')
  expect((await one.execute(db)).rows).toEqual([{ one: 1 }])
})

test('a statement can take longer while the server works on it or waits for a lock', async () => {
  const { db } = await behindProxy()
  const { rows } = await sql`select 1 as one, pg_sleep(1)::text`.execute(db)
  expect(rows).toMatchObject([{ one: 1 }])
  const other = openDatabase(connection, () => {}, 1)
  onTestFinished(other.close)
  const held = await other.pool.connect()
  await held.query('select pg_advisory_lock(4711)')
  const waiting = sql`select 1 as one, pg_advisory_lock(4711)::text`.execute(db)
  await held.query('select pg_sleep(0.5)')
  await held.query('select pg_advisory_unlock(4711)')
  held.release()
  expect((await waiting).rows).toMatchObject([{ one: 1 }])
})

test('an idle connection stays open', async () => {
  const { db } = await behindProxy()
  const own = sql<{ pid: number }>`select pg_backend_pid() as pid`
  const before = (await own.execute(db)).rows
  await new Promise((resolve) => setTimeout(resolve, 5 * silence))
  expect((await own.execute(db)).rows).toEqual(before)
})

test('a connection that responds while the server is being queried about it stays open', async () => {
  let asked = 0
  function slowSocket() {
    const socket = new Socket()
    const connect = socket.connect.bind(socket)
    return Object.assign(socket, {
      connect(...to: unknown[]) {
        asked += 1
        setTimeout(() => Reflect.apply(connect, socket, to), 3 * silence)
        return socket
      },
    })
  }
  const slow = { ...connection, stream: slowSocket }
  const { db, close } = openDatabase(
    { ...connection, onConnect: endWhenLost(slow, silence) },
    () => {},
    1,
  )
  onTestFinished(close)
  const own = sql<{ pid: number }>`select pg_backend_pid() as pid`
  const before = (await own.execute(db)).rows
  await sql`select pg_sleep(${(1.5 * silence) / 1000}::float8)`.execute(db)
  await new Promise((resolve) => setTimeout(resolve, 4 * silence))
  expect(asked).toBe(1)
  expect((await own.execute(db)).rows).toEqual(before)
})
