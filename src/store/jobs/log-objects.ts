import { sql } from 'kysely'
import {
  archiveDelay,
  lastPart,
  type LogLayout,
  withoutEndDelay,
  writingSeconds,
} from '../../domain/log/log.ts'
import { secondsAgo } from '../sql/age.ts'
import { type Database, json } from '../tables.ts'
import { timesOfParts } from './log-times.ts'

/**
 * A log that receives no more parts, with the attempts that have text: empty attempts stay as they
 * are.
 */
export interface SettledLog {
  id: number
  /** The current attempt. */
  attempt: number
  attempts: number[]
}

/** Steps done once for each log: it is searched for secrets, and then becomes an object. */
const still = {
  scan: sql`logs.scanned_at is null`,
  archive: sql`logs.scanned_at is not null and logs.archived_at is null`,
}

/**
 * Logs of finished jobs that receive no more parts and have not passed this step, in the order of
 * their ids, beginning after one of them. Logs without text are included. A log with missing
 * numbers waits as long as a log without an end; the service's own last part does not follow any
 * number.
 */
export async function settledLogs(
  db: Database,
  { to, after, most }: { to: keyof typeof still; after: number; most: number },
): Promise<SettledLog[]> {
  const { rows } = await sql<SettledLog>`
    select logs.id, jobs.attempt, coalesce(attempts, '{}') as attempts
    from logs join jobs on jobs.id = logs.id
    left join lateral (
      select array_agg(distinct log_parts.attempt order by log_parts.attempt)
          filter (where content <> '') as attempts,
        max(created_at) as newest,
        bool_or(final and log_parts.attempt = jobs.attempt)
          and coalesce(max(number) filter (where number < ${lastPart} and log_parts.attempt = jobs.attempt), 0)
            = count(*) filter (where number < ${lastPart} and log_parts.attempt = jobs.attempt) as is_complete
      from log_parts where log_id = logs.id
    ) as parts on true
    where ${still[to]} and logs.removed_at is null and logs.id > ${after}
      and jobs.finished_at is not null
      and greatest(newest, jobs.finished_at) < case
        when is_complete then ${secondsAgo(archiveDelay)} else ${secondsAgo(withoutEndDelay)} end
    order by logs.id limit ${most}
  `.execute(db)
  return rows
}

/** How many logs of finished jobs wait to become objects. */
export async function countUnarchived(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from logs join jobs on jobs.id = logs.id
    where logs.archived_at is null and logs.removed_at is null
      and jobs.finished_at < ${secondsAgo(withoutEndDelay)}
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** How many logs are objects, by the store that they are in. */
export async function countObjects(db: Database): Promise<{ place: string; count: number }[]> {
  const { rows } = await sql<{ place: string; count: number }>`
    select place, count(*)::int as count from log_objects
    where stored_at is not null group by place order by place
  `.execute(db)
  return rows
}

/** All stores that contain objects, including objects that are to be deleted. */
export async function placesOfObjects(db: Database): Promise<string[]> {
  const { rows } = await sql<{ place: string }>`
    select place from log_objects union select place from deleted_objects order by place
  `.execute(db)
  return rows.map(({ place }) => place)
}

/** The log, the attempt and the location of an object. */
export interface ObjectName {
  log_id: number
  attempt: number
  place: string
  key: string
}

/**
 * Stores that an object is about to be written. False if there is or may be an object of the same
 * attempt, or the log was removed.
 */
export async function beginObject(db: Database, name: ObjectName): Promise<boolean> {
  const { rows } = await sql`
    insert into log_objects (log_id, attempt, place, key)
    select id, ${name.attempt}, ${name.place}, ${name.key}
    from logs where id = ${name.log_id} and removed_at is null
    on conflict do nothing
    returning key
  `.execute(db)
  return rows.length > 0
}

/** Drops the row of an object that was not completed; the object will be deleted. */
export async function abandonObject(db: Database, { key }: Pick<ObjectName, 'key'>): Promise<void> {
  await sql`delete from log_objects where key = ${key} and stored_at is null`.execute(db)
}

/** Drops the rows of objects that a process has begun to write and did not complete. */
export async function abandonOldObjects(db: Database): Promise<void> {
  await sql`
    delete from log_objects where stored_at is null and begun_at < ${secondsAgo(writingSeconds)}
  `.execute(db)
}

interface Written {
  layout: LogLayout
  text_bytes: number
  object_bytes: number
  sha256: string
}

/**
 * Replaces the parts of an attempt by an object. False, with nothing changed, if the log was
 * removed in the meantime, or has other parts than the object. Only in a transaction.
 */
export async function completeObject(
  tx: Database,
  { log_id, attempt, key }: ObjectName,
  { layout, text_bytes, object_bytes, sha256 }: Written,
): Promise<boolean> {
  // Held until the end: in the meantime no part is stored and no log removed.
  await sql`select from logs where id = ${log_id} for update`.execute(tx)
  const { rows } = await sql`
    update log_objects set stored_at = now(), layout = ${json(layout)}, sha256 = ${sha256},
      times = ${timesOfParts(log_id, sql.val(attempt))},
      text_bytes = ${text_bytes}, object_bytes = ${object_bytes}
    where key = ${key} and stored_at is null
      and begun_at > ${secondsAgo(writingSeconds)}
      and exists (select from logs where id = ${log_id} and removed_at is null)
      and (
        select count(*) = ${layout.parts.length}
          and coalesce(sum(octet_length(content)), 0) = ${text_bytes}
        from log_parts where log_id = ${log_id} and attempt = ${attempt})
    returning key
  `.execute(tx)
  if (rows.length === 0) return false
  await sql`delete from log_parts where log_id = ${log_id} and attempt = ${attempt}`.execute(tx)
  return true
}

/**
 * Stores that a log has no more parts with text, if that is so: the log then rejects late parts.
 * Only in a transaction.
 */
export async function closeLog(tx: Database, logId: number): Promise<void> {
  await sql`select from logs where id = ${logId} for update`.execute(tx)
  await sql`
    update logs set archived_at = now() where id = ${logId}
      and not exists (select from log_parts where log_id = logs.id and content <> '')
      and exists (
        select from jobs where jobs.id = logs.id and finished_at < ${secondsAgo(archiveDelay)})
  `.execute(tx)
}

/** An object that is read instead of log parts. */
export interface LogObject extends Pick<ObjectName, 'attempt' | 'place' | 'key'> {
  layout: LogLayout
  text_bytes: number
}

/** The object of an attempt; of the current attempt if none is given. */
export async function findLogObject(
  db: Database,
  logId: number,
  attempt?: number,
): Promise<LogObject | undefined> {
  const { rows } = await sql<LogObject>`
    select attempt, place, key, layout, text_bytes::float8 as text_bytes from log_objects
    where ${isOfAttempt(logId, attempt)}
  `.execute(db)
  return rows[0]
}

/** The location of that object, without the positions of its parts. */
export async function findPlaceOfLog(
  db: Database,
  logId: number,
  attempt?: number,
): Promise<Pick<ObjectName, 'place' | 'key'> | undefined> {
  const { rows } = await sql<Pick<ObjectName, 'place' | 'key'>>`
    select place, key from log_objects where ${isOfAttempt(logId, attempt)}
  `.execute(db)
  return rows[0]
}

const isOfAttempt = (logId: number, attempt: number | undefined) => sql`
  log_id = ${logId} and stored_at is not null
    and attempt = coalesce(${attempt ?? null}::int, (select attempt from jobs where id = ${logId}))`

/** An object that is to be deleted. */
export type DeletedObject = Pick<ObjectName, 'place' | 'key'>

/** Objects of a removed log that no process can be writing. */
export async function deletedObjectsOf(db: Database, logId: number): Promise<DeletedObject[]> {
  const { rows } = await sql<DeletedObject>`
    select place, key from deleted_objects where log_id = ${logId} and due_at <= now()
  `.execute(db)
  return rows
}

/** Some objects to delete. */
export async function dueObjects(db: Database, most: number): Promise<DeletedObject[]> {
  const { rows } = await sql<DeletedObject>`
    select place, key from deleted_objects where due_at <= now() order by due_at limit ${most}
  `.execute(db)
  return rows
}

/** Stores that the store has deleted an object. */
export async function forgetObject(db: Database, { key }: DeletedObject): Promise<void> {
  await sql`delete from deleted_objects where key = ${key}`.execute(db)
}

/** Postpones the deletion of an object: by a minute, then by longer, at most by a day. */
export async function delayDeletion(db: Database, { key }: DeletedObject): Promise<void> {
  await sql`
    update deleted_objects set attempts = attempts + 1,
      due_at = now() + least(interval '1 minute' * power(2, least(attempts, 20)), interval '1 day')
    where key = ${key}
  `.execute(db)
}
