import { databaseNow, secondsAgo } from './age.ts'
import type { Database } from './tables.ts'

/** Stores that the repositories of an installation are to be looked up. */
export async function requestSync(db: Database, codehost_id: number): Promise<void> {
  await db
    .insertInto('installation_syncs')
    .values({ codehost_id })
    .onConflict((conflict) =>
      conflict.column('codehost_id').doUpdateSet({ requested_at: databaseNow }),
    )
    .execute()
}

/** Forgets what was requested before; a later request stays. Undefined: all of it. */
export async function endSync(db: Database, codehost_id: number, requested?: Date): Promise<void> {
  await db
    .deleteFrom('installation_syncs')
    .where('codehost_id', '=', codehost_id)
    .$if(requested !== undefined, (query) =>
      query.where('requested_at', '<=', requested ?? new Date(0)),
    )
    .execute()
}

/** The installations whose look-up was requested so long ago. */
export async function requestedSyncs(db: Database, olderThan: number): Promise<number[]> {
  const rows = await db
    .selectFrom('installation_syncs')
    .select('codehost_id')
    .where('requested_at', '<=', secondsAgo(olderThan))
    .orderBy('codehost_id')
    .execute()
  return rows.map(({ codehost_id }) => codehost_id)
}
