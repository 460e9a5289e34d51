import { sql } from 'kysely'
import { databaseNow, secondsAgo } from './age.ts'
import type { Broadcast, Database } from './tables.ts'

/**
 * The messages for a user that are not expired and at most so many seconds old, newest first. Those for
 * a repository go to who has a permission on it, as `permittedId`, if that is the user.
 */
export function broadcastsTo(
  db: Database,
  userId: number,
  permittedId: number | undefined,
  seconds: number,
): Promise<Pick<Broadcast, 'id' | 'message'>[]> {
  return db
    .selectFrom('broadcasts')
    .select(['id', 'message'])
    .where('created_at', '>=', secondsAgo(seconds))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', databaseNow)]))
    .where(
      sql<boolean>`case recipient_type
        when 'User' then recipient_id = ${userId}
        when 'Organization' then exists (
          select from memberships where user_id = ${userId} and organization_id = recipient_id)
        when 'Repository' then exists (
          select from permissions where user_id = ${permittedId ?? null} and repository_id = recipient_id)
        else true end`,
    )
    .orderBy('id', 'desc')
    .execute()
}
