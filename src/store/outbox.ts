import { sql } from 'kysely'
import type { AnnouncementKind, Announcements, OutboxRow } from '../domain/outbox.ts'
import { databaseNow, secondsAgo } from './age.ts'
import { often } from './prepared.ts'
import { type Database, json } from './tables.ts'

export type AnyOutboxRow = { [K in AnnouncementKind]: OutboxRow<K> }[AnnouncementKind] & {
  /** Milliseconds until the row is due, by the database's clock; negative once it is. */
  due_in: number
  /** Seconds since it was refused first; null if it was not. */
  refused_for: number | null
  /** Seconds since it was written. */
  waited: number
}

/** The id of the repository that a stream is about: `status:12:…`, `check:12:…`, `notify:12:…`. */
const repositoryOfStream = sql<string>`split_part(outbox.stream, ':', 2)`

/** What is reported to the code host. How notifications went is kept with themselves. */
const isReport = sql<boolean>`outbox.kind not like 'notify:%'`

/**
 * Whether a row is no report about a repository that is archived. The code host takes none of those, so
 * they rest until it is unarchived: they are neither tried nor counted as failed.
 */
const isAwake = sql<boolean>`(not ${isReport} or not exists (
  select from repositories
  where archived_at is not null
    and id = substring(outbox.stream from '^[^:]*:([0-9]{1,18})(?::|$)')::bigint))`

/** Something to be reported. */
export interface Announcement<K extends AnnouncementKind = AnnouncementKind> {
  kind: K
  stream: string
  payload: Announcements[K]
}

/**
 * Stores what is to be reported, in this order. Call it inside the transaction that makes the change. A
 * report that was refused is tried again before it, rather than hold it back for the rest of its pause.
 * What cannot be written throws at once; after that the statement is sent.
 */
export function announce(db: Database, announcements: readonly Announcement[]): Promise<unknown> {
  if (announcements.length === 0) return Promise.resolve()
  const streams = announcements.map(({ stream }) => stream)
  const announced = db
    .with('released', (query) =>
      query
        .updateTable('outbox')
        .set({ next_attempt_at: null })
        .where('stream', '=', sql<string>`any(${streams}::text[])`)
        .where('published_at', 'is', null)
        .where('refused_at', 'is not', null),
    )
    .insertInto('outbox')
    .values(announcements.map(({ payload, ...each }) => ({ ...each, payload: json(payload) })))
  return often(db, announced)
}

/**
 * The first unpublished row of a stream that does not rest, as it was. If it is due its attempt is counted, before it is
 * made: the next one then knows that the report may have arrived.
 */
export async function takeNextOfStream(
  db: Database,
  stream: string,
): Promise<AnyOutboxRow | undefined> {
  const row = await db
    .with('next', (query) =>
      query
        .selectFrom('outbox')
        .selectAll()
        .select(
          sql<number>`coalesce(extract(epoch from next_attempt_at - now()) * 1000, 0)::float8`.as(
            'due_in',
          ),
        )
        .select(
          sql<number | null>`extract(epoch from now() - refused_at)::float8`.as('refused_for'),
        )
        .select(sql<number>`extract(epoch from now() - created_at)::float8`.as('waited'))
        .where('stream', '=', stream)
        .where('published_at', 'is', null)
        .where(isAwake)
        .orderBy('id')
        .limit(1),
    )
    .with('counted', (query) =>
      query
        .updateTable('outbox')
        .from('next')
        .set((eb) => ({ attempts: eb('outbox.attempts', '+', 1) }))
        .whereRef('outbox.id', '=', 'next.id')
        .where('due_in', '<=', 0),
    )
    .selectFrom('next')
    .selectAll()
    .executeTakeFirst()
  return row as AnyOutboxRow | undefined
}

/** Whether a stream has rows that are not published. */
export async function hasRows(db: Database, stream: string): Promise<boolean> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('stream', '=', stream)
    .where('published_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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

/** Keeps a row that the code host refused, to be tried again in so many seconds. */
export async function keepRefused(
  db: Database,
  id: number,
  { seconds, error }: { seconds: number; error: string },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set((eb) => ({
      refused_at: eb.fn.coalesce('refused_at', databaseNow),
      next_attempt_at: secondsAgo(-seconds),
      error,
    }))
    .where('id', '=', id)
    .execute()
}

/** Ends the pauses of all rows about an installation's repositories; returns their streams. */
export async function releaseReports(db: Database, installationId: number): Promise<string[]> {
  const rows = await db
    .updateTable('outbox')
    .set({ next_attempt_at: null })
    .where('published_at', 'is', null)
    .where('next_attempt_at', 'is not', null)
    .where(isReport)
    .where(repositoryOfStream, 'in', (eb) =>
      eb
        .selectFrom('repositories')
        .select(sql<string>`id::text`.as('id'))
        .where('installation_id', '=', installationId),
    )
    .returning('stream')
    .execute()
  return [...new Set(rows.map(({ stream }) => stream))]
}

/** Has reports about a repository that was archived posted, as if they were new. */
export async function wakeReports(db: Database, repositoryId: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: null, refused_at: null })
    .where('published_at', 'is', null)
    .where(isReport)
    .where(repositoryOfStream, '=', String(repositoryId))
    .execute()
}

export interface UnreportedRows {
  count: number
  /** When the oldest of them was written. */
  since: Date
  /** How many of them the code host refused. */
  refused: number
  /** Why the one that was written last has failed. */
  error: string
}

/** Of the rows that failed again and again: how many, since when, and why. Undefined without any. */
export async function unreported(
  db: Database,
  repositoryId?: number,
): Promise<UnreportedRows | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<Date>`min(created_at)`.as('since'),
      sql<number>`count(refused_at)::int`.as('refused'),
      sql<string>`(array_agg(error order by id desc))[1]`.as('error'),
    ])
    .where('published_at', 'is', null)
    .where(isReport)
    .where(isAwake)
    .where('error', 'is not', null)
    .where((eb) => eb.or([eb('refused_at', 'is not', null), eb('attempts', '>=', mostUnshown)]))
    .$if(repositoryId !== undefined, (query) =>
      query.where(repositoryOfStream, '=', String(repositoryId)),
    )
    .executeTakeFirstOrThrow()
  return row.count === 0 ? undefined : row
}

export type LostRows = Pick<UnreportedRows, 'count' | 'since' | 'error'>

/**
 * Of the rows of the last day that can never be reported, unless something newer was reported in
 * their place: how many, since when, and why. Undefined without any.
 */
export async function lostReports(
  db: Database,
  repositoryId?: number,
): Promise<LostRows | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<Date>`min(created_at)`.as('since'),
      sql<string>`(array_agg(error order by id desc))[1]`.as('error'),
    ])
    .where('published_at', '>=', secondsAgo(24 * 60 * 60))
    .where(isReport)
    .where('error', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('outbox as newer')
            .select('newer.id')
            .whereRef('newer.stream', '=', 'outbox.stream')
            .whereRef('newer.id', '>', 'outbox.id')
            .where('newer.published_at', 'is not', null)
            .where('newer.error', 'is', null),
        ),
      ),
    )
    .$if(repositoryId !== undefined, (query) =>
      query.where(repositoryOfStream, '=', String(repositoryId)),
    )
    .executeTakeFirstOrThrow()
  return row.count === 0 ? undefined : row
}

/** A report that failed less often is repeated within seconds, and worth no notice. */
const mostUnshown = 5

/** The streams that have a row which was written so many seconds ago, is due and does not rest. */
export async function dueStreams(db: Database, seconds: number): Promise<string[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('stream')
    .distinct()
    .where('published_at', 'is', null)
    .where(isAwake)
    .where('created_at', '<=', secondsAgo(seconds))
    .where((eb) =>
      eb.or([eb('next_attempt_at', 'is', null), eb('next_attempt_at', '<=', databaseNow)]),
    )
    .execute()
  return rows.map(({ stream }) => stream)
}
