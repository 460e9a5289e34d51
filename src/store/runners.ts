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

/** The runners that were alive since then, with their levels of isolation. */
export function runnersSince(
  db: Database,
  since: Date,
): Promise<{ id: string; isolation: string }[]> {
  return db
    .selectFrom('runners')
    .select(['id', 'isolation'])
    .where('stopped_at', 'is', null)
    .where('heartbeat_at', '>=', since)
    .execute()
}

export async function updateRunner(
  db: Database,
  id: string,
  changes: { heartbeat_at: Date } | { stopped_at: Date },
): Promise<void> {
  await db.updateTable('runners').set(changes).where('id', '=', id).execute()
}
