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

/** The levels of isolation of the runners that were alive since then. */
export async function isolationsSince(db: Database, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('runners')
    .select('isolation')
    .distinct()
    .where('stopped_at', 'is', null)
    .where('heartbeat_at', '>=', since)
    .execute()
  return rows.map(({ isolation }) => isolation)
}

export async function updateRunner(
  db: Database,
  id: string,
  changes: { heartbeat_at: Date } | { stopped_at: Date },
): Promise<void> {
  await db.updateTable('runners').set(changes).where('id', '=', id).execute()
}
