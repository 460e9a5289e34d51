import { sql } from 'kysely'
import type { AnnouncementKind, Announcements, OutboxRow } from '../domain/outbox.ts'
import { databaseNow, secondsAgo } from './age.ts'
import { type Database, json } from './tables.ts'

export type AnyOutboxRow = { [K in AnnouncementKind]: OutboxRow<K> }[AnnouncementKind] & {
  /** Milliseconds until the row is due, by the database's clock; negative once it is. */
  due_in: number
}

/** Stores what is to be reported. Call it inside the transaction that makes the change. */
export async function announce<K extends AnnouncementKind>(
  db: Database,
  kind: K,
  stream: string,
  payload: Announcements[K],
): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ kind, stream, payload: json(payload) })
    .execute()
}

/** The first unpublished row of a stream. */
export async function nextOfStream(
  db: Database,
  stream: string,
): Promise<AnyOutboxRow | undefined> {
  const row = await db
    .selectFrom('outbox')
    .selectAll()
    .select(
      sql<number>`coalesce(extract(epoch from next_attempt_at - now()) * 1000, 0)::float8`.as(
        'due_in',
      ),
    )
    .where('stream', '=', stream)
    .where('published_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row as AnyOutboxRow | undefined
}

/** Counts an attempt before it is made: the next one then knows that the report may have arrived. */
export async function countAttempt(db: Database, id: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function markPublished(
  db: Database,
  id: number,
  error: string | null = null,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ published_at: databaseNow, error })
    .where('id', '=', id)
    .execute()
}

export async function postpone(
  db: Database,
  id: number,
  { seconds, error }: { seconds: number; error: string },
): Promise<void> {
  const next_attempt_at = secondsAgo(-seconds)
  await db.updateTable('outbox').set({ next_attempt_at, error }).where('id', '=', id).execute()
}

/** The streams that have a row which was written so many seconds ago and is due. */
export async function dueStreams(db: Database, seconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('stream')
    .distinct()
    .where('published_at', 'is', null)
    .where('created_at', '<=', secondsAgo(seconds))
    .where((eb) =>
      eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', databaseNow)]),
    )
    .limit(1000)
    .execute()
  return rows.map(({ stream }) => stream)
}

/**
 * Runs `work` while no one else works on the stream; returns false at once when someone does. The
 * lock belongs to the connection, so a process that dies releases it. `work` gets that connection
 * and must use no other: where all connections hold locks, it would wait forever for a free one. No
 * transaction is open.
 */
export function withStreamLock(
  db: Database,
  stream: string,
  work: (connection: Database) => Promise<void>,
): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_lock(hashtextextended(${stream}, 1)) as locked
    `.execute(connection)
    if (!rows[0]?.locked) return false
    try {
      await work(connection)
      return true
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${stream}, 1))`.execute(connection)
    }
  })
}
