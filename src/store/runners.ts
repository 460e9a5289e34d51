import type { Insertable } from 'kysely'
import type { Database, Tables } from './tables.ts'

/** Stores a runner that has started, or restarted. */
export async function registerRunner(
  db: Database,
  runner: Insertable<Tables['runners']>,
): Promise<void> {
  await db
    .insertInto('runners')
    .values(runner)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...runner, stopped_at: null }))
    .execute()
}

export async function updateRunner(
  db: Database,
  id: string,
  changes: { heartbeat_at: Date } | { stopped_at: Date },
): Promise<void> {
  await db.updateTable('runners').set(changes).where('id', '=', id).execute()
}
