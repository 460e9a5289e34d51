import type { LocalDatabase, LocalTables } from '../codehost/local/tables.ts'
import type { Database } from '../store/tables.ts'

/** The same database, as the local code host sees it: its own tables and no others. */
export function localDatabase(db: Database): LocalDatabase {
  return db.$extendTables<LocalTables>().$pickTables<keyof LocalTables>()
}
