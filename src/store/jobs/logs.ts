import { sql } from 'kysely'
import type { Actor } from '../../domain/audit.ts'
import { type LogPart, wholePart } from '../../domain/log/log.ts'
import { storableText } from '../../domain/text/storable-text.ts'
import { noticeChannel, noticeOfParts } from '../live/notices.ts'
import type { Database } from '../tables.ts'

/**
 * Stores parts of the job's current attempt. Parts of an older attempt, or of a log that was
 * removed, searched for secrets or archived, are dropped, and duplicates are stored once. False if
 * the attempt is not the current one.
 */
export async function insertParts(
  db: Database,
  { job_id, attempt }: { job_id: number; attempt: number },
  parts: readonly LogPart[],
): Promise<boolean> {
  const { rows } = await sql<{ current: boolean }>`
    with job as (select attempt from jobs where id = ${job_id}),
    -- Held, so that nothing comes after the log was removed, searched for secrets or archived.
    kept as (
      select from logs where id = ${job_id} and removed_at is null and scanned_at is null
        and archived_at is null for share
    ),
    stored as (
      insert into log_parts (log_id, attempt, number, content, final)
      select ${job_id}::bigint, ${attempt}::int, part.*
      from unnest(
        ${parts.map(({ number }) => number)}::int[],
        ${parts.map(({ content }) => storableText(content))}::text[],
        ${parts.map(({ final }) => final)}::boolean[]
      ) as part (number, content, final), job, kept
      where job.attempt = ${attempt}
      on conflict do nothing
      returning number
    )
    select attempt = ${attempt} as current,
      (select pg_notify(${noticeChannel}, ${noticeOfParts({ job_id, attempt }, parts)})
        from stored limit 1) as noticed
    from job
  `.execute(db)
  return rows[0]?.current ?? false
}

/** Writes the whole log of the current attempt for jobs that never ran in it. */
export async function insertWholeLogs(
  db: Database,
  jobIds: readonly number[],
  content: string,
): Promise<void> {
  if (jobIds.length === 0) return
  await sql`
    with stored as (
      insert into log_parts (log_id, attempt, number, content, final)
      select jobs.id, jobs.attempt, 1, ${storableText(content)}::text, true
      from jobs join logs on logs.id = jobs.id and logs.removed_at is null
      where jobs.id = any(${jobIds}::bigint[])
      on conflict do nothing
      returning log_id, attempt
    )
    select pg_notify(${noticeChannel}, json_build_object('kind', 'parts', 'job_id', log_id,
      'attempt', attempt, 'from', 1, 'to', 1, 'final', true)::text)
    from stored
  `.execute(db)
}

/**
 * The end of the parts of a job's current attempt: at least `characters` long, if they are that
 * long. Also whether an object has replaced them.
 */
export async function endOfParts(
  db: Database,
  logId: number,
  characters: number,
): Promise<{ text: string; stored: boolean }> {
  const { rows } = await sql<{ text: string; stored: boolean }>`
    with newest as (select attempt from jobs where id = ${logId})
    select coalesce((
      select string_agg(content, '' order by number)
      from (
        select number, content,
          sum(length(content)) over (order by number desc) - length(content) as after
        from log_parts where log_id = ${logId} and attempt = (select attempt from newest)
      ) as parts
      where after < ${characters}
    ), '') as text,
    exists (
      select from log_objects
      where log_id = ${logId} and attempt = (select attempt from newest) and stored_at is not null
    ) as stored
  `.execute(db)
  return rows[0] ?? { text: '', stored: false }
}

export interface LogSize {
  /** Bytes of the text. */
  bytes: number
  /** Changes whenever the text changes. */
  version: string
}

/** The size of a log's text, found without reading the text: of the current attempt unless one is given. */
export async function sizeOfLog(db: Database, logId: number, attempt?: number): Promise<LogSize> {
  // A rewritten part, such as one with a secret removed, has another `xmin`.
  const { rows } = await sql<LogSize>`
    with wanted as (
      select coalesce(${attempt ?? null}::int, (select attempt from jobs where id = ${logId})) as attempt
    )
    select coalesce(object.text_bytes, parts.bytes)::float8 as bytes,
      coalesce(object.sha256, parts.version, '') as version
    from wanted
    cross join lateral (
      select coalesce(sum(octet_length(content)), 0) as bytes,
        md5(string_agg(number || ' ' || xmin, ' ' order by number)) as version
      from log_parts where log_id = ${logId} and log_parts.attempt = wanted.attempt
    ) as parts
    left join log_objects as object
      on object.log_id = ${logId} and object.attempt = wanted.attempt and object.stored_at is not null
  `.execute(db)
  return rows[0] ?? { bytes: 0, version: '' }
}

interface Removal {
  removed_at: Date
  /** The text that is shown from now on. */
  text: string
  /** Undefined if the service removed it. */
  by?: Actor
}

/**
 * Replaces logs by a text, including logs of earlier attempts: they mostly have the same contents.
 * Returns how many of them had not been removed before.
 */
export async function removeLogs(
  db: Database,
  logIds: readonly number[],
  { removed_at, text, by }: Removal,
): Promise<number> {
  const removed = await db
    .updateTable('logs')
    .set({ removed_at, removed_by_id: by?.user.id ?? null })
    .where('id', 'in', logIds)
    .where('removed_at', 'is', null)
    .returning('id')
    .execute()
  if (removed.length === 0) return 0
  const ids = removed.map(({ id }) => id)
  await db.deleteFrom('log_parts').where('log_id', 'in', ids).execute()
  await db.deleteFrom('log_objects').where('log_id', 'in', ids).execute()
  await db.updateTable('jobs').set({ reason: null }).where('id', 'in', ids).execute()
  await forgetLogsOfRuns(db, ids)
  await sql`
    insert into log_parts (log_id, attempt, number, content, final)
    select job_id, attempt, ${wholePart}::int, ${storableText(text)}::text, true
    from (
      select id as job_id, attempt from jobs where id = any(${ids}::bigint[])
      union select job_id, number from job_versions where job_id = any(${ids}::bigint[])
    ) as attempts
  `.execute(db)
  return ids.length
}

/**
 * Deletes the data that runs of these jobs, and later runs compared with them, have from their
 * logs. Without the versions it is unknown which inputs two runs share, so they no longer count as
 * evidence.
 */
export async function forgetLogsOfRuns(db: Database, jobIds: readonly number[]): Promise<void> {
  await sql`
    update job_runs set failure = null, outside = null, shapes = null, by_itself = false,
      inputs = jsonb_set(inputs, '{versions}', '{}')
    where job_id = any(${jobIds}::bigint[])
  `.execute(db)
  await sql`
    update job_runs set outside = null
    where repository_id in (select repository_id from jobs where id = any(${jobIds}::bigint[]))
      and ((outside -> 'from' ->> 'job_id')::bigint = any(${jobIds}::bigint[])
        or (outside -> 'to' ->> 'job_id')::bigint = any(${jobIds}::bigint[]))
  `.execute(db)
}

/** The finished jobs among these whose logs have their last part, or no part at all. */
export async function completeLogs(
  db: Database,
  jobIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from jobs
    where id = any(${jobIds}::bigint[]) and finished_at is not null and coalesce((
      select final from log_parts
      where log_id = jobs.id and log_parts.attempt = jobs.attempt
      order by log_parts.number desc limit 1
    ), (
      select (layout -> 'parts' -> -1 -> 2)::boolean from log_objects
      where log_id = jobs.id and log_objects.attempt = jobs.attempt and stored_at is not null
    ), true)
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}
