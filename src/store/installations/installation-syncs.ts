import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { Database } from '../tables.ts'

/** Requests a look-up of the repositories of an installation. */
export async function requestSync(db: Database, codehost_id: number): Promise<void> {
  await db
    .insertInto('installation_syncs')
    .values({ codehost_id })
    .onConflict((conflict) =>
      conflict.column('codehost_id').doUpdateSet({ requested_at: databaseNow }),
    )
    .execute()
}

/** Deletes a request made at `requested` or earlier; a later request stays. Undefined deletes any. */
export async function endSync(db: Database, codehost_id: number, requested?: Date): Promise<void> {
  await db
    .deleteFrom('installation_syncs')
    .where('codehost_id', '=', codehost_id)
    .$if(requested !== undefined, (query) =>
      query.where('requested_at', '<=', requested ?? new Date(0)),
    )
    .execute()
}

/** The installations whose look-up was requested at least `olderThan` seconds ago. */
export async function requestedSyncs(db: Database, olderThan: number): Promise<number[]> {
  const rows = await db
    .selectFrom('installation_syncs')
    .select('codehost_id')
    .where('requested_at', '<=', secondsAgo(olderThan))
    .orderBy('codehost_id')
    .execute()
  return rows.map(({ codehost_id }) => codehost_id)
}
