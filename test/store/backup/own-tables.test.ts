import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownTables } from '../../../src/store/backup/own-tables.ts'
import { testDatabase } from '../../support/database.ts'

const db = await testDatabase()

test('each table comes after the tables that it refers to', async () => {
  const names = (await ownTables(db)).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['migrations', 'log_parts', 'local_codehost.refs']))
  const { rows } = await sql<{ table: string; referred: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as referred
    from pg_constraint where contype = 'f' and conrelid <> confrelid
  `.execute(db)
  const early = rows.filter(({ table, referred }) => names.indexOf(table) < names.indexOf(referred))
  expect([rows.length > 70, early]).toEqual([true, []])
})
