import { sql } from 'kysely'
import type { LogPart } from '../domain/log.ts'
import { storableText } from '../domain/storable-text.ts'
import type { Database } from './tables.ts'

/**
 * Stores parts of the job's current attempt; parts of an older one are dropped, and duplicates
 * are stored once. False when the attempt is not the current one.
 */
export async function insertParts(
  db: Database,
  { job_id, attempt }: { job_id: number; attempt: number },
  parts: readonly LogPart[],
): Promise<boolean> {
  const { rows } = await sql<{ current: boolean }>`
    with job as (select attempt from jobs where id = ${job_id}),
    stored as (
      insert into log_parts (log_id, attempt, number, content, final)
      select ${job_id}::bigint, ${attempt}::int, part.*
      from unnest(
        ${parts.map(({ number }) => number)}::int[],
        ${parts.map(({ content }) => storableText(content))}::text[],
        ${parts.map(({ final }) => final)}::boolean[]
      ) as part (number, content, final), job
      where job.attempt = ${attempt}
      on conflict do nothing
    )
    select attempt = ${attempt} as current from job
  `.execute(db)
  return rows[0]?.current ?? false
}

export interface LogPartFilter {
  /** Only parts with greater numbers. */
  after?: number | undefined
  /** Only parts with these numbers. */
  numbers?: readonly number[] | undefined
}

/** The parts of the newest attempt, in their order. */
export function partsOfLog(
  db: Database,
  logId: number,
  { after, numbers }: LogPartFilter = {},
): Promise<LogPart[]> {
  return db
    .selectFrom('log_parts')
    .select(['number', 'content', 'final'])
    .where('log_id', '=', logId)
    .where('attempt', '=', (eb) =>
      eb
        .selectFrom('log_parts as newest')
        .select(({ fn }) => fn.max('newest.attempt').as('attempt'))
        .where('newest.log_id', '=', logId),
    )
    .$if(after !== undefined, (query) => query.where('number', '>', after ?? 0))
    .$if(numbers !== undefined, (query) =>
      query.where('number', '=', sql<number>`any(${numbers}::int[])`),
    )
    .orderBy('number')
    .execute()
}
