import { type Insertable, sql } from 'kysely'
import type { Notification, NotificationState } from '../../domain/notification.ts'
import { type InRepository, inTheirRepositories } from '../repositories/repository-access.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import { anyOf } from '../sql/literals.ts'
import { type Page, type Paged, readPage } from '../sql/page.ts'
import type { Database, Tables } from '../tables.ts'

export type NewNotification = Insertable<Tables['notifications']>

/**
 * Stores notifications, and returns those that were not stored yet: a process that was killed halfway
 * stores its notifications again.
 */
export async function insertNotifications(
  db: Database,
  notifications: readonly NewNotification[],
): Promise<Notification[]> {
  if (notifications.length === 0) return []
  const rows = await db
    .insertInto('notifications')
    .values([...notifications])
    .onConflict((conflict) => conflict.columns(['cause_id', 'position']).doNothing())
    .returningAll()
    .execute()
  return rows.toSorted((a, b) => a.position - b.position)
}

export function findNotification(db: Database, id: number): Promise<Notification | undefined> {
  return db.selectFrom('notifications').selectAll().where('id', '=', id).executeTakeFirst()
}

/** State of the last notification to the same target before this one; undefined for the first. */
export async function stateOfLastBefore(
  db: Database,
  { id, repository_id, stream }: Pick<Notification, 'id' | 'repository_id' | 'stream'>,
): Promise<NotificationState | undefined> {
  const row = await db
    .selectFrom('notifications')
    .select('state')
    .where('repository_id', '=', repository_id)
    .where('stream', '=', stream)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.state
}

/** The result of an attempt to send a notification. */
export interface NotificationTry {
  state: NotificationState
  status: number | null
  message: string | null
}

export async function noteTry(
  db: Database,
  id: number,
  { state, status, message }: NotificationTry,
): Promise<void> {
  await db
    .updateTable('notifications')
    .set((eb) => ({
      state,
      response_status: status,
      message,
      attempts: eb('attempts', '+', 1),
      sent_at: state === 'sent' ? databaseNow : eb.ref('sent_at'),
    }))
    .where('id', '=', id)
    .execute()
}

/** Makes a notification wait again; false if it is waiting already, or has nothing to send. */
export async function reopenNotification(db: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set({ state: 'waiting', message: null })
    .where('id', '=', id)
    .where('state', 'in', ['sent', 'failed'])
    .where('sealed_content', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Empty or undefined members do not filter. */
export interface NotificationFilter {
  build_id: number | undefined
  kinds: readonly string[]
  states: readonly string[]
}

/** One page of the notifications of a repository, newest first. */
export function notificationsOf(
  db: Database,
  repositoryId: number,
  { build_id, kinds, states }: NotificationFilter,
  page: Page,
): Promise<Paged<Notification>> {
  const query = db
    .selectFrom('notifications')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .$if(build_id !== undefined, (rows) => rows.where('build_id', '=', build_id ?? 0))
    .$if(kinds.length > 0, (rows) => rows.where(sql<boolean>`kind = ${anyOf(kinds)}`))
    .$if(states.length > 0, (rows) => rows.where(sql<boolean>`state = ${anyOf(states)}`))
  return readPage(db, query, { ...page, sort: [] }, {}, sql`notifications.id desc`)
}

/** A notification with its repository, as the user sees the repository. */
export async function findSeenNotification(
  db: Database,
  id: number,
  userId: number | undefined,
): Promise<InRepository<Notification> | undefined> {
  const found = await findNotification(db, id)
  const [seen] = found ? await inTheirRepositories(db, [found], userId) : []
  return seen
}

/** Deletes notifications that were stored more than `seconds` ago and do not wait. */
export async function deleteNotifications(db: Database, seconds: number): Promise<void> {
  await db
    .deleteFrom('notifications')
    .where('created_at', '<', secondsAgo(seconds))
    .where('state', '<>', 'waiting')
    .execute()
}
