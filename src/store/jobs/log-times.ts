import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../tables.ts'

/** The times at which the lines of a log arrived: each entry is the first line of its second. */
export interface LogTimes {
  /** When the first output was stored; null if there is none. */
  begun_at: string | null
  lines: LineTime[]
}

interface LineTime {
  line: number
  /** Since `begun_at`. A line without an entry arrived together with the line before it. */
  seconds: number
}

/**
 * The times of the parts of an attempt in which a line begins, from which the times of lines are
 * derived.
 */
export function timesOfParts(logId: number, attempt: RawBuilder<number>): RawBuilder<LogTimes> {
  return sql<LogTimes>`(
    with parts as (
      select number, max(created_at) over (order by number) as at, right(content, 1) = chr(10) as is_whole,
        coalesce(lag(right(content, 1)) over (order by number) <> chr(10), false) as continues_line,
        length(content) - length(replace(content, chr(10), '')) as breaks
      from log_parts where log_id = ${logId} and attempt = ${attempt} and content <> ''
    ),
    begun as (
      select at, min(at) over () as begun_at, breaks, is_whole, continues_line,
        1 + coalesce(sum(breaks) over (
          order by number rows between unbounded preceding and 1 preceding), 0)
        + continues_line::int as line
      from parts
    ),
    lines as (
      select line, begun_at, floor(extract(epoch from max(at) - begun_at))::int as seconds
      from begun
      where not continues_line or breaks > 1 or (breaks = 1 and not is_whole)
      group by line, begun_at
    ),
    seconds as (select min(line)::int as line, begun_at, seconds from lines group by begun_at, seconds)
    select jsonb_build_object(
      'begun_at', to_jsonb(min(begun_at)),
      'lines', coalesce(
        jsonb_agg(jsonb_build_object('line', line, 'seconds', seconds) order by line), '[]'))
    from seconds
  )`
}

/** The times of the lines of an attempt, even if its log has become an object. */
export async function timesOfLog(db: Database, logId: number, attempt: number): Promise<LogTimes> {
  const { rows } = await sql<{ times: LogTimes }>`
    select coalesce((
      select times from log_objects
      where log_id = ${logId} and attempt = ${attempt} and stored_at is not null
    ), ${timesOfParts(logId, sql.val(attempt))}) as times
  `.execute(db)
  return rows[0]?.times ?? { begun_at: null, lines: [] }
}
