import { sql } from 'kysely'
import type { AnnouncementKind, Announcements, OutboxRow } from '../../domain/outbox.ts'
import { databaseNow, secondsAgo } from '../sql/age.ts'
import { runPrepared } from '../sql/prepared-statements.ts'
import { type Database, json } from '../tables.ts'

export type AnyOutboxRow = { [K in AnnouncementKind]: OutboxRow<K> }[AnnouncementKind] & {
  /** Milliseconds until the row is due, by the database's clock; negative once it is. */
  due_in: number
  /** Seconds since the row was first refused; null if it was not. */
  refused_for: number | null
  /** Seconds since the row was written. */
  waited: number
  /** Ids of this row and of rows it replaces: each report is of the data stored when it is made. */
  same_ids: number[]
}

/** The id of the repository that a stream is about: `status:12:…`, `check:12:…`, `notify:12:…`. */
export const repositoryOfStream = sql<string>`split_part(outbox.stream, ':', 2)`

/** Reports to the code host. Results of notifications are stored with the notifications. */
export const isReport = sql<boolean>`outbox.kind not like 'notify:%'`

/** One report does the work of all equal rows that were written before it was made. */
const sameIds = sql<number[]>`array(
  select same.id from outbox as same
  where same.id = outbox.id or (${isReport} and same.stream = outbox.stream
    and same.kind = outbox.kind and same.payload::text = outbox.payload::text
    and same.published_at is null))`

/**
 * False for reports about archived repositories. The code host accepts no reports about
 * archived repositories, so they rest until it is unarchived: they are neither tried nor counted as
 * failed.
 */
export const isAwake = sql<boolean>`(not ${isReport} or not exists (
  select from repositories
  where archived_at is not null
    and id = substring(outbox.stream from '^[^:]*:([0-9]{1,18})(?::|$)')::bigint))`

/** An announcement to be stored. */
export interface Announcement<K extends AnnouncementKind = AnnouncementKind> {
  kind: K
  stream: string
  payload: Announcements[K]
}

/**
 * Stores announcements, in this order. Call it inside the transaction that makes the change. A refused
 * report of the same stream is retried first, so that it does not delay them for the rest of its pause.
 * Values that cannot be written throw immediately; after that the statement is sent.
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
  return runPrepared(db, announced)
}

/**
 * The first unpublished row of a stream that does not rest, as it was. If the row is due, its attempt is
 * counted before it is made: the next attempt then knows that the report may have arrived.
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
        .select(sameIds.as('same_ids'))
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

/** Why a row was not published, and what people can do about it. */
type Failed = Pick<OutboxRow, 'error' | 'remedy'>

/** Ends rows: they were published, or are given up for this reason. */
export async function markPublished(
  db: Database,
  ids: readonly number[],
  failed: Failed = { error: null, remedy: null },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ ...failed, published_at: databaseNow })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

export async function postpone(
  db: Database,
  id: number,
  seconds: number,
  failed: Failed & Pick<OutboxRow, 'attempts' | 'rejections'>,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ ...failed, next_attempt_at: secondsAgo(-seconds) })
    .where('id', '=', id)
    .execute()
}

/** Keeps a row that the code host refused, to be retried in `seconds`. */
export async function keepRefused(
  db: Database,
  id: number,
  seconds: number,
  failed: Failed,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set((eb) => ({
      ...failed,
      refused_at: eb.fn.coalesce('refused_at', databaseNow),
      next_attempt_at: secondsAgo(-seconds),
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

/** Releases the reports about a repository that was archived, as if they were new. */
export async function wakeReports(db: Database, repositoryId: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: null, refused_at: null })
    .where('published_at', 'is', null)
    .where(isReport)
    .where(repositoryOfStream, '=', String(repositoryId))
    .execute()
}

/** The streams with a row that was written at least `seconds` ago, is due and does not rest. */
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
