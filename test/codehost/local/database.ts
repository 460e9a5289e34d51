import type { LocalDatabase, LocalTables } from '../../../src/codehost/local/tables.ts'
import { testDatabase } from '../../support/database.ts'

/** A separate database for the test file, with the tables of the local code host. */
export async function localDatabase(): Promise<LocalDatabase> {
  const db = await testDatabase()
  return db.$extendTables<LocalTables>().$pickTables<keyof LocalTables>()
}
