import { sql } from 'kysely'
import type { LogPart } from '../domain/log.ts'
import { storableText } from '../domain/storable-text.ts'
import { listed, prepared } from './prepared.ts'
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

/** The parts of the newest attempt, in their order. */
export function partsOfLog(db: Database, logId: number): Promise<LogPart[]> {
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
    .orderBy('number')
    .execute()
}

/** Which parts of a log are read. */
export interface LogPartFilter {
  /** Only parts with greater numbers. */
  after?: number | undefined
  /** Only parts with these numbers. */
  numbers?: readonly number[] | undefined
}

interface LogPage {
  attempt: number | null
  parts: readonly LogPart[]
}

/** Bytes of content after which a page of a log ends; its last part can exceed them. */
const pageBytes = 256 * 1024
/** Parts after which it ends, since there are empty ones too. */
const pageParts = 1024

/**
 * The parts of the newest attempt, page by page. Each page is a statement of its own, made when it is
 * asked for, so that a slow reader holds no connection. Throws when the job begins a new attempt
 * meanwhile, since the parts of the old one are deleted then.
 */
export async function* readLog(
  db: Database,
  logId: number,
  { after = 0, numbers }: LogPartFilter = {},
): AsyncGenerator<readonly LogPart[], undefined> {
  let begun: number | null = null
  for (let last = after; ;) {
    const { attempt, parts } = await pageOfLog(db, logId, { after: last, numbers })
    if (begun !== null && attempt !== begun) {
      throw new Error(`job ${logId} was started again while its log was read`)
    }
    if (parts.length > 0) yield parts
    if (!isFull(parts)) return
    begun = attempt
    last = parts.at(-1)?.number ?? last
  }
}

function isFull(parts: readonly LogPart[]): boolean {
  const bytes = parts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
  return parts.length >= pageParts || bytes >= pageBytes
}

const page = prepared<{ attempt: number | null } & (LogPart | { number: null })>(`
  with newest as (select max(attempt) as attempt from log_parts where log_id = $1),
  next as (
    select number, content, final from log_parts
    where log_id = $1 and attempt = (select attempt from newest) and number > $2
      and number = any(coalesce(${listed('$3', 'int[]')}, array[number]))
    order by number
    limit ${pageParts}
  ),
  sized as (
    select *, sum(octet_length(content)) over (order by number) - octet_length(content) as before
    from next
  )
  select newest.attempt, sized.number, sized.content, sized.final
  from newest left join sized on before < ${pageBytes}
  order by number
`)

async function pageOfLog(
  db: Database,
  logId: number,
  { after, numbers = null }: { after: number; numbers: LogPartFilter['numbers'] | null },
): Promise<LogPage> {
  const rows = await page(db, logId, after, numbers)
  const parts = rows.flatMap((row) =>
    row.number === null ? [] : [{ number: row.number, content: row.content, final: row.final }],
  )
  return { attempt: rows[0]?.attempt ?? null, parts }
}
