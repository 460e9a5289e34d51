import type { LogPart } from '../../domain/log/log.ts'
import { listed, prepared } from '../sql/prepared-statements.ts'
import type { Database } from '../tables.ts'

/** Which parts of a log are read. */
export interface LogPartFilter {
  /** The parts of this attempt, instead of the current one. */
  attempt?: number | undefined
  /** Only parts with greater numbers. */
  after?: number | undefined
  /** Only parts with these numbers. */
  numbers?: readonly number[] | undefined
  /** Whether only the text matters: the parts of a page are then read as one part, with the last number. */
  joined?: boolean
}

export interface LogPage {
  attempt: number | null
  /** Whether an object has replaced the parts. */
  stored: boolean
  parts: readonly LogPart[]
  /** Whether the page ends before the log may end. */
  isFull: boolean
  /** How many parts of this length fit on a page: the statement reads the size of each part it looks at. */
  fitting: number
}

/** Bytes of content after which a page of a log ends; the page's last part can exceed them. */
const pageBytes = 64 * 1024
/** Parts after which a page ends, because there are empty parts too. */
const pageParts = 1024

/** Which page of a log is read. */
export type PageFilter = Required<Pick<LogPartFilter, 'after'>> &
  LogPartFilter & {
    /** The maximum number of its parts. */
    most: number
  }

/** Milliseconds after which an unfinished page no longer delays others: its answer may be lost. */
const longestTurn = 500

let turn: Promise<unknown> = Promise.resolve()

/**
 * Reads pages after the first, one at a time for all logs: readers of large logs would otherwise keep
 * all other callers waiting.
 */
export function inTurn(read: () => Promise<LogPage>): Promise<LogPage> {
  const page = turn.then(read)
  const hasTurn = () =>
    new Promise<void>((resolve) => {
      const late = setTimeout(resolve, longestTurn)
      const end = () => {
        clearTimeout(late)
        resolve()
      }
      page.then(end, end)
    })
  turn = turn.then(hasTurn)
  return page
}

interface PageRow {
  attempt: number | null
  stored: boolean
  /** Null if no part is left. */
  number: number | null
  content: string
  final: boolean
  bytes: number
  parts: number
}

/** Reads a page: a row for each part, or one row for all. */
const pageReader = (columns: string, end: string) =>
  prepared<PageRow>(`
    with newest as (select coalesce($4::int, attempt) as attempt from jobs where id = $1),
    next as (
      select number, content, final, octet_length(content) as bytes from log_parts
      where log_id = $1 and attempt = (select attempt from newest) and number > $2
        and number = any(coalesce(${listed('$3', 'int[]')}, array[number]))
      order by number
      limit $5
    ),
    sized as (select *, sum(bytes) over (order by number) - bytes as before from next)
    select newest.attempt,
      exists (
        select from log_objects
        where log_id = $1 and log_objects.attempt = newest.attempt and stored_at is not null
      ) as stored,
      ${columns}
    from newest left join sized on before < ${pageBytes}
    ${end}
  `)

const partsOfPage = pageReader('number, content, final, bytes, 1 as parts', 'order by number')
const textOfPage = pageReader(
  `max(number) as number, string_agg(content, '' order by number) as content,
    bool_or(final) as final, sum(bytes)::int as bytes, count(number)::int as parts`,
  'group by newest.attempt',
)

/** One page of the parts of a log. If they became an object, the page has none and says so. */
export async function pageOfLog(
  db: Database,
  logId: number,
  { attempt, after, numbers, joined = false, most }: PageFilter,
): Promise<LogPage> {
  const read = joined ? textOfPage : partsOfPage
  const rows = await read(db, logId, after, numbers ?? null, attempt ?? null, most)
  const found = rows.flatMap((row) => (row.number === null ? [] : [{ ...row, number: row.number }]))
  const sum = (of: 'bytes' | 'parts') => found.reduce((total, row) => total + row[of], 0)
  const bytes = sum('bytes')
  const parts = sum('parts')
  const room = Math.ceil((pageBytes * parts) / Math.max(bytes, 1))
  return {
    attempt: rows[0]?.attempt ?? null,
    stored: rows[0]?.stored ?? false,
    parts: found.map(({ number, content, final }) => ({ number, content, final })),
    isFull: parts >= most || bytes >= pageBytes,
    fitting: Math.min(Math.max(room, 1), pageParts),
  }
}
