import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sealedColumns } from '../../src/store/secrets/sealed-columns.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const source = path.resolve(import.meta.dirname, '../../src')

/** Whether any source other than a migration names a table. */
function isUsed(table: string): boolean {
  const files = execFileSync('grep', ['-rlw', table, source], { encoding: 'utf8' })
  return files.split('\n').some((file) => file !== '' && !file.includes('/migrations/'))
}

test('every sealed column of the schema is sealed again when the master key changes', async () => {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed\\_%'
    order by 1, 2
  `.execute(db)
  const used = rows.filter(({ table }) => isUsed(table))
  const listed = sealedColumns.map(({ table, column }) => ({ table, column }))
  expect(listed).toEqual(expect.arrayContaining(used))
  expect(used.length).toBeGreaterThanOrEqual(3)
})
