import type { LocalDatabase, LocalTables } from '../../../src/codehost/local/tables.ts'
import { testDatabase } from '../../support/database.ts'

/** A database of the test file's own with the tables of the local code host. */
export async function localDatabase(): Promise<LocalDatabase> {
  const db = await testDatabase()
  return db.$extendTables<LocalTables>().$pickTables<keyof LocalTables>()
}
