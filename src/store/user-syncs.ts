import { type Expression, type SqlBool, sql } from 'kysely'
import { databaseNow, secondsAgo } from './age.ts'
import type { Database } from './tables.ts'

/** Marks a user as being synced; false where that is so already. */
export async function beginUserSync(db: Database, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ is_syncing: true, sync_started_at: databaseNow })
    .where('id', '=', userId)
    .where('is_syncing', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether a sync of the user was requested and has not ended. */
export async function isSyncing(db: Database, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('is_syncing')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.is_syncing === true
}

/** Ends the sync of a user, at the time that is shown for it; null where nothing was looked up. */
export async function endUserSync(
  db: Database,
  userId: number,
  synced_at: Date | null,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ is_syncing: false, ...(synced_at ? { synced_at } : {}) })
    .where('id', '=', userId)
    .execute()
}

/** The users whose sync began so long ago and has not ended. */
export async function syncingUsers(db: Database, olderThan: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_syncing', '=', true)
    .where('sync_started_at', '<=', secondsAgo(olderThan))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The code host's numbers of the installations on a user's own account and organizations. */
export async function installationsOfUser(db: Database, userId: number): Promise<number[]> {
  const isOwn: Expression<SqlBool> = sql`
    owner_type = 'User' and owner_id = ${userId}
    or owner_type = 'Organization' and owner_id in (
      select organization_id from memberships where user_id = ${userId})`
  const rows = await db
    .selectFrom('installations')
    .select('codehost_id')
    .where('removed_at', 'is', null)
    .where(sql<SqlBool>`(${isOwn})`)
    .orderBy('codehost_id')
    .execute()
  return rows.map(({ codehost_id }) => codehost_id)
}
