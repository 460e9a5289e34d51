import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../src/store/tables.ts'

/** Resolves when so many connections to the test's own database wait for a lock. */
export async function lockWaits(db: Database, count = 1): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(db)
    if (rows.length >= count) return
    await pause(5)
  }
}
