import { sql } from 'kysely'
import pg from 'pg'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { runPrepared } from '../../src/store/sql/prepared-statements.ts'
import { inTransaction, sideBySide } from '../../src/store/sql/transaction.ts'
import { isUnreachable } from '../../src/store/sql/unreachable.ts'
import type { Database } from '../../src/store/tables.ts'
import { freshDatabase } from '../support/database.ts'

const { db } = await freshDatabase()

beforeEach(async () => {
  await sql`drop table if exists things`.execute(db)
  await sql`create table things (id int primary key)`.execute(db)
})

const add = (on: Database, id: number) => runPrepared(on, sql`insert into things values (${id})`)
const sum = (on: Database) =>
  runPrepared(on, sql<{ sum: number }>`select coalesce(sum(id), 0)::int as sum from things`)
const things = async () => {
  const { rows } = await sql<{ id: number }>`select id from things order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Records the sent statements, and each response, in order. */
function watchStatements(): string[] {
  const seen: string[] = []
  const { query } = pg.Client.prototype
  onTestFinished(() => {
    pg.Client.prototype.query = query
  })
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given] = args
    const text = typeof given === 'string' ? given : String((given as { text?: string }).text)
    const [word = ''] = text.trim().split(' ')
    const settle = args.pop() as (...result: unknown[]) => void
    seen.push(word)
    const settled = (...result: unknown[]) => {
      seen.push(`${word} ended`)
      settle(...result)
    }
    return Reflect.apply(query, this, [...args, settled]) as never
  }
  return seen
}

test('parallel statements are sent together with "begin", and run in their order', async () => {
  await inTransaction(db, sum)
  const seen = watchStatements()
  const found = await inTransaction(db, (tx) =>
    sideBySide([add(tx, 1), sum(tx), add(tx, 2), sum(tx)]),
  )
  expect(found).toEqual([[], [{ sum: 1 }], [], [{ sum: 3 }]])
  expect(seen.slice(0, 6)).toEqual(['begin', 'insert', 'select', 'insert', 'select', 'begin ended'])
  expect(await things()).toEqual([1, 2])
})

test('a transaction that fails stores nothing, and reports the first error', async () => {
  const failed = inTransaction(db, (tx) => sideBySide([add(tx, 1), add(tx, 1), add(tx, 2)]))
  await expect(failed).rejects.toThrow('duplicate key value')
  expect(await things()).toEqual([])
})

test('statements beside a failed one end before the transaction does', async () => {
  async function one(tx: Database): Promise<void> {
    await add(tx, 1)
    await new Promise((resolve) => setImmediate(resolve))
    await add(tx, 2).catch(() => {})
    await sql`insert into things values (3)`.execute(tx)
  }
  const failed = inTransaction(db, (tx) =>
    sideBySide([one(tx), Promise.reject(new Error('changed its mind'))]),
  )
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await things()).toEqual([])
})

test('no statement is sent in a transaction that has ended', async () => {
  let late: Database | undefined
  await inTransaction(db, async (tx) => {
    late = tx
    await add(tx, 1)
  })
  await expect(add(late as Database, 2)).rejects.toThrow('already committed')
  expect(await things()).toEqual([1])
})

test('a failed "begin" fails the transaction', async () => {
  const { query } = pg.Client.prototype
  onTestFinished(() => {
    pg.Client.prototype.query = query
  })
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const given = args[0] === 'begin' ? ['begin nothing', ...args.slice(1)] : args
    return Reflect.apply(query, this, given) as never
  }
  await expect(inTransaction(db, (tx) => sum(tx))).rejects.toThrow('syntax error')
  pg.Client.prototype.query = query
  expect(await inTransaction(db, sum)).toEqual([{ sum: 0 }])
})

test('a lost connection fails its pending statements, and the next statement gets a new connection', async () => {
  const lost = inTransaction(db, (tx) =>
    sideBySide([
      add(tx, 1),
      runPrepared(tx, sql`select pg_terminate_backend(pg_backend_pid())`),
      sum(tx),
      sum(tx),
    ]),
  )
  expect(await lost.catch(isUnreachable)).toBe(true)
  expect(await inTransaction(db, sum)).toEqual([{ sum: 0 }])
})
