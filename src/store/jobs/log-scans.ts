import { sql } from 'kysely'
import { archiveDelay, type LogPart, type SecretsFound } from '../../domain/log/log.ts'
import { secondsAgo } from '../sql/age.ts'
import { type Database, json } from '../tables.ts'
import type { SettledLog } from './log-objects.ts'

/**
 * A text derived from a log: why the job ended, or, as JSON, why a run failed and the changes
 * outside the commit.
 */
export interface ScannedText {
  from: 'reason' | 'failure' | 'outside'
  attempt: number
  text: string
}

/** The texts derived from a log, of all attempts. */
export async function textsFromLog(db: Database, logId: number): Promise<ScannedText[]> {
  const { rows } = await sql<ScannedText>`
    select 'reason' as "from", attempt, reason as text from jobs
    where id = ${logId} and reason is not null
    union all
    select 'failure', attempt, failure::text from job_runs
    where job_id = ${logId} and failure is not null
    union all
    select 'outside', attempt, outside::text from job_runs
    where job_id = ${logId} and outside is not null
  `.execute(db)
  return rows
}

interface Scan {
  log: SettledLog
  /** The number of searched parts with text, and their size in bytes. */
  size: { parts: number; bytes: number }
  /** The parts whose text changes. */
  parts: readonly (LogPart & { attempt: number })[]
  /** The texts derived from the log that change. */
  texts: readonly ScannedText[]
  /** The secrets found in the current attempt. */
  found: SecretsFound | null
}

/**
 * Stores that a log was searched for secrets, and replaces texts by masked ones. From now on the
 * log takes no parts. False, with nothing changed, if it was searched before, was removed, has
 * other parts than those, or its job runs again. Only in a transaction that has locked the job's
 * build.
 */
export async function storeScan(
  tx: Database,
  { log: { id, attempt }, size, parts, texts, found }: Scan,
): Promise<boolean> {
  await sql`select from logs where id = ${id} for update`.execute(tx)
  const { rows } = await sql`
    update logs set scanned_at = now(), secrets_found = ${found && json(found)}
    where id = ${id} and scanned_at is null and removed_at is null
      and exists (
        select from jobs
        where jobs.id = logs.id and attempt = ${attempt}
          and finished_at < ${secondsAgo(archiveDelay)})
      and (
        select count(*) filter (where content <> '') = ${size.parts} and coalesce(sum(octet_length(content)), 0) = ${size.bytes}
        from log_parts where log_id = logs.id)
    returning id
  `.execute(tx)
  if (rows.length === 0) return false
  await sql`
    update log_parts set content = masked.content
    from unnest(
      ${parts.map((part) => part.attempt)}::int[],
      ${parts.map((part) => part.number)}::int[],
      ${parts.map((part) => part.content)}::text[]
    ) as masked (attempt, number, content)
    where log_id = ${id} and log_parts.attempt = masked.attempt and log_parts.number = masked.number
  `.execute(tx)
  for (const { from, attempt: of, text } of texts) {
    if (from === 'reason') {
      await tx
        .updateTable('jobs')
        .set({ reason: text })
        .where('id', '=', id)
        .where('attempt', '=', of)
        .execute()
    } else {
      await tx
        .updateTable('job_runs')
        .set({ [from]: jsonOrNull(text) })
        .where('job_id', '=', id)
        .where('attempt', '=', of)
        .execute()
    }
  }
  return true
}

/** A cover that is larger than a text of the JSON leaves none. */
function jsonOrNull(text: string): string | null {
  try {
    return json(JSON.parse(text))
  } catch {
    return null
  }
}

/** The secrets found in the logs of these jobs' current attempts. */
export async function secretsFoundIn(
  db: Database,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, SecretsFound>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('logs')
    .select(['id', 'secrets_found'])
    .where('id', 'in', jobIds)
    .where('secrets_found', 'is not', null)
    .execute()
  return new Map(rows.flatMap((row) => (row.secrets_found ? [[row.id, row.secrets_found]] : [])))
}
