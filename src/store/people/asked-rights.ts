import { databaseNow } from '../sql/age.ts'
import type { Database } from '../tables.ts'

export interface RightToAsk {
  repository_id: number
  /** The etag by which the code host recognizes its last response. */
  asked_etag: string | null
}

/**
 * The rights of a user that were not fetched from the code host since the user's sync began, the oldest
 * first.
 */
export function rightsToAsk(db: Database, userId: number): Promise<RightToAsk[]> {
  return db
    .selectFrom('permissions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['repository_id', 'asked_etag'])
    .where('user_id', '=', userId)
    .where((eb) =>
      eb.or([eb('asked_at', 'is', null), eb('asked_at', '<', eb.ref('sync_started_at'))]),
    )
    .orderBy('asked_at', (order) => order.asc().nullsFirst())
    .orderBy('repository_id')
    .execute()
}

/** Stores that a right was fetched from the code host now. */
export async function noteAsked(
  db: Database,
  userId: number,
  { repository_id, asked_etag }: RightToAsk,
): Promise<void> {
  await db
    .updateTable('permissions')
    .set({ asked_at: databaseNow, asked_etag })
    .where('user_id', '=', userId)
    .where('repository_id', '=', repository_id)
    .execute()
}
