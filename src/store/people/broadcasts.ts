import { type Insertable, sql } from 'kysely'
import { longestDays } from '../../domain/broadcast.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { Broadcast, Database, Tables } from '../tables.ts'

const shownSeconds = longestDays * 24 * 3600

/** A broadcast; `active` is false if it is too old or expired. */
export interface KnownBroadcast extends Broadcast {
  active: boolean
}

export function insertBroadcast(
  db: Database,
  broadcast: Insertable<Tables['broadcasts']>,
): Promise<Broadcast> {
  return db.insertInto('broadcasts').values(broadcast).returningAll().executeTakeFirstOrThrow()
}

/**
 * The broadcasts for a user, newest first. Broadcasts for an organization or a repository go to its
 * members, and to users with a permission on it, if `permittedId` is the user. With `active`, only
 * active or only inactive broadcasts.
 */
export function broadcastsTo(
  db: Database,
  userId: number,
  permittedId: number | undefined,
  { active }: { active: boolean | undefined },
): Promise<KnownBroadcast[]> {
  const isActive = sql<boolean>`created_at >= ${secondsAgo(shownSeconds)}
    and coalesce(expires_at > ${databaseNow}, true)`
  return db
    .selectFrom('broadcasts')
    .selectAll()
    .select(isActive.as('active'))
    .where(
      sql<boolean>`case recipient_type
        when 'User' then recipient_id = ${userId}
        when 'Organization' then exists (
          select from memberships where user_id = ${permittedId ?? null} and organization_id = recipient_id)
        when 'Repository' then exists (
          select from permissions where user_id = ${permittedId ?? null} and repository_id = recipient_id)
        else true end`,
    )
    .$if(active !== undefined, (query) => query.where(sql<boolean>`(${isActive}) = ${active}`))
    .orderBy('id', 'desc')
    .execute()
}
