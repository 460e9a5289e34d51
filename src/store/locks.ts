import { sql } from 'kysely'
import type { Database } from './tables.ts'

/** Waits for this lock, and holds it for the rest of the transaction. */
export async function holdLock(tx: Database, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 2))`.execute(tx)
}
