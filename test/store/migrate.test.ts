import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../../src/store/migrate.ts'
import { migrations } from '../../src/store/migrations/index.ts'
import { freshDatabase } from '../support/database.ts'

const { db } = await freshDatabase()

test('a migrated database needs no further migration', async () => {
  expect(await migrate(db, migrations)).toEqual([])
})

test('only one of several processes runs the pending migrations', async () => {
  const late = {
    name: '999-late',
    async up(tx: typeof db) {
      await sql`create table late (id int)`.execute(tx)
    },
  }
  const runs = await Promise.all([1, 2, 3].map(() => migrate(db, [...migrations, late])))
  expect(runs.flat()).toEqual(['999-late'])
  await sql`drop table late`.execute(db)
  await sql`delete from migrations where name = '999-late'`.execute(db)
})

test('a failing migration leaves nothing behind', async () => {
  const broken = {
    name: '998-broken',
    async up(tx: typeof db) {
      await sql`create table half (id int)`.execute(tx)
      throw new Error('no further')
    },
  }
  await expect(migrate(db, [...migrations, broken])).rejects.toThrow('no further')
  const { rows } = await sql`select 1 from pg_tables where tablename = 'half'`.execute(db)
  expect(rows).toEqual([])
})

test('a database of a later version is left alone', async () => {
  await sql`insert into migrations (name) values ('zzz-future')`.execute(db)
  await expect(migrate(db, migrations)).rejects.toThrow(/later version.*zzz-future/)
  await sql`delete from migrations where name = 'zzz-future'`.execute(db)
})
