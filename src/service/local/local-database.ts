import type { LocalDatabase, LocalTables } from '../../codehost/local/tables.ts'
import type { Database } from '../../store/tables.ts'

/** The same database with the tables of the local code host, and no others. */
export function localDatabase(db: Database): LocalDatabase {
  return db.$extendTables<LocalTables>().$pickTables<keyof LocalTables>()
}
