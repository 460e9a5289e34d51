import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Tables } from '../tables.ts'

/** A part of a list: which rows, in which order, and whether all of them are counted. */
export interface Page<Key extends string = string> {
  limit: number
  offset: number
  /** Most significant key first; without any, the list has its default order. */
  sort: readonly { key: Key; descending: boolean }[]
  counted: boolean
}

/**
 * The rows of one page; `count` is the number of rows on all pages, up to the limit of counting, null
 * unless it was requested.
 */
export interface Paged<R> {
  records: R[]
  count: number | null
}

/** Sort expression of rows; for expressions that can be null, see `nullsLast`. */
export type Order = Expression<unknown> | { nullsLast: Expression<unknown> }

/** Sort expression of rows that puts nulls last in both directions. */
export function nullsLast(expression: Expression<unknown>): Order {
  return { nullsLast: expression }
}

/** Rows beyond these are not counted, except rows of the page and of the next page. */
const mostCounted = 10_000

/**
 * Reads one page of the rows that a query selects. `orders` maps each sort key to its expression; equal
 * rows are ordered by `tieBreaker`, so that no row is on two pages. `countKnown` reads the number of rows,
 * if they need not be counted.
 */
export async function readPage<TB extends keyof Tables, R, Key extends string>(
  db: Database,
  query: SelectQueryBuilder<Tables, TB, R>,
  { limit, offset, sort, counted }: Page<Key>,
  orders: Readonly<Record<Key, Order>>,
  tieBreaker: Expression<unknown>,
  countKnown?: () => Promise<number>,
): Promise<Paged<R>> {
  const sorted = sort.reduce(
    (query, { key, descending }) => orderedBy(query, orders[key], descending ? 'desc' : 'asc'),
    query,
  )
  const [records, count] = await Promise.all([
    sorted.orderBy(tieBreaker).limit(limit).offset(offset).execute(),
    counted
      ? (countKnown?.() ?? countOf(db, query, Math.max(mostCounted, offset + 2 * limit)))
      : null,
  ])
  return { records, count }
}

function orderedBy<TB extends keyof Tables, R>(
  query: SelectQueryBuilder<Tables, TB, R>,
  order: Order,
  direction: 'asc' | 'desc',
) {
  if (!('nullsLast' in order)) return query.orderBy(order, direction)
  return query.orderBy(order.nullsLast, (by) => by[direction]().nullsLast())
}

async function countOf<TB extends keyof Tables, R>(
  db: Database,
  query: SelectQueryBuilder<Tables, TB, R>,
  most: number,
): Promise<number> {
  const rows = query
    .clearSelect()
    .clearOrderBy()
    .select(sql`1`.as('row'))
    .limit(most)
  const { rows: counts } = await sql<{
    count: string
  }>`select count(*) from (${rows}) as rows`.execute(db)
  return Number(counts[0]?.count)
}
