import { sql } from 'kysely'
import type { LocalDatabase, LocalTables } from '../../../src/codehost/local/tables.ts'
import { testDatabase } from '../../support/database.ts'

/** A database of the test file's own with the tables of the local code host. */
export async function localDatabase(): Promise<LocalDatabase> {
  const db = await testDatabase()
  await sql`
    alter table local_codehost.refs add column if not exists changes integer not null default 0
  `.execute(db)
  return db.$extendTables<LocalTables>().$pickTables<keyof LocalTables>()
}
