import type { LocalDatabase, LocalTables } from '../../codehost/local/tables.ts'
import type { Database } from '../../store/tables.ts'

/** The database, typed with only the tables of the local code host. */
export function localDatabase(db: Database): LocalDatabase {
  return db.$extendTables<LocalTables>().$pickTables<keyof LocalTables>()
}
