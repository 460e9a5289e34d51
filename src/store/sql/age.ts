import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../tables.ts'

/** The time `seconds` ago by the database's clock: the clocks of our machines may differ (D40). */
export function secondsAgo(seconds: number): RawBuilder<Date> {
  return sql<Date>`now() - make_interval(secs => ${seconds})`
}

/** The time by the database's clock. */
export const databaseNow = sql<Date>`now()`

/** The time by the database's clock, as a value. */
export async function timeOf(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}
