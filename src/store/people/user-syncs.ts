import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { User } from '../../domain/owner.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import type { Database, Tables } from '../tables.ts'

/** Seconds without reading anything after which a sync counts as lost, after which another sync can begin. */
const longestSync = 15 * 60

/** Marks a user as being synced; false if another sync is already running and not lost. */
export async function beginUserSync(db: Database, userId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ is_syncing: true, sync_started_at: databaseNow })
    .where('id', '=', userId)
    .where(mayBegin)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether another sync of the user cannot begin now. */
export async function isBeingSynced(db: Database, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((eb) => eb.not(mayBegin(eb)))
    .executeTakeFirst()
  return found !== undefined
}

const mayBegin = (eb: ExpressionBuilder<Tables, 'users'>) =>
  eb.or([
    eb('is_syncing', '=', false),
    eb.and([eb('sync_started_at', '<=', secondsAgo(longestSync)), eb.not(isReading)]),
  ])

const isReading = sql<boolean>`exists (
  select from sync_pages
  where sync_pages.user_id = users.id and read_at > ${secondsAgo(longestSync)}
)`

/** Stores that a user is to be synced once more when the current sync has ended. */
export async function wantSyncAgain(db: Database, user_id: number): Promise<void> {
  await db
    .insertInto('wanted_syncs')
    .values({ user_id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether another sync was requested; the request is deleted. */
export async function takeWantedSync(db: Database, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('wanted_syncs')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The user, if a sync was requested and has not ended. */
export function syncingUser(
  db: Database,
  userId: number,
): Promise<Pick<User, 'id' | 'codehost_id'> | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'codehost_id'])
    .where('id', '=', userId)
    .where('is_syncing', '=', true)
    .executeTakeFirst()
}

/** Users who can be synced, and whose last sync began at least `seconds` ago, the longest ago first. */
export async function usersToSync(db: Database, seconds: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('users.id')
    .where('provider', '=', 'codehost')
    .where('first_logged_in_at', 'is not', null)
    .where('is_syncing', '=', false)
    .where('blocked_at', 'is', null)
    .where((eb) =>
      eb.or([eb('sync_started_at', 'is', null), eb('sync_started_at', '<=', secondsAgo(seconds))]),
    )
    .orderBy('sync_started_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends the sync of a user, with the time to be shown for it; null if nothing was looked up. */
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

/** The users whose sync began at least `olderThan` seconds ago and has not ended. */
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

/** The code host's ids of the installations on a user's own account and organizations. */
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
