import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { runPrepared, prepared } from '../../src/store/sql/prepared-statements.ts'
import { isUnreachable } from '../../src/store/sql/unreachable.ts'
import type { Database } from '../../src/store/tables.ts'
import { freshDatabase } from '../support/database.ts'

const { db } = await freshDatabase()

beforeAll(async () => {
  await sql`create table things (id int, name text)`.execute(db)
  await sql`insert into things values (1, 'one')`.execute(db)
})

const thing = (id: number) => sql<object>`select * from things where id = ${id}`
const migrate = (column: string) =>
  sql`alter table things add column ${sql.ref(column)} int`.execute(db)

const preparedTexts = async (on: Database) => {
  const { rows } = await sql<{ statement: string }>`
    select statement from pg_prepared_statements where statement like '%things%' order by 1
  `.execute(on)
  return rows.map(({ statement }) => statement)
}

test('a statement is prepared once on each connection, for all values', async () => {
  await db.connection().execute(async (connection) => {
    expect(await runPrepared(connection, thing(1))).toEqual([{ id: 1, name: 'one' }])
    expect(await runPrepared(connection, thing(2))).toEqual([])
    const named = prepared<{ name: string }>('select name from things where id = $1')
    expect(await named(connection, 1)).toEqual([{ name: 'one' }])
    expect(await named(connection, 1)).toEqual([{ name: 'one' }])
    expect(await preparedTexts(connection)).toEqual([
      'select * from things where id = $1',
      'select name from things where id = $1',
    ])
  })
})

test('a migration after the statement was prepared has no effect on it outside a transaction', async () => {
  await db.connection().execute(async (connection) => {
    await runPrepared(connection, thing(1))
    await migrate('color')
    expect(await runPrepared(connection, thing(1))).toEqual([{ id: 1, name: 'one', color: null }])
    expect(await runPrepared(connection, thing(2))).toEqual([])
  })
})

test('a migration fails a prepared statement within a transaction once, like an unreachable database', async () => {
  await db.connection().execute(async (connection) => {
    await runPrepared(connection, thing(1))
    const failed = connection.transaction().execute(async (tx) => {
      await sql`select`.execute(tx)
      await migrate('size')
      return runPrepared(tx, thing(1))
    })
    expect(await failed.catch(isUnreachable)).toBe(true)
    const again = connection.transaction().execute((tx) => runPrepared(tx, thing(1)))
    expect(await again).toEqual([{ id: 1, name: 'one', color: null, size: null }])
  })
})

test('an error in a statement itself is reported', async () => {
  const wrong = sql`select nothing from things`
  await expect(runPrepared(db, wrong)).rejects.toThrow('column "nothing" does not exist')
  expect(isUnreachable(await runPrepared(db, wrong).catch((error: unknown) => error))).toBe(false)
})
