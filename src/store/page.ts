import { type Expression, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** A part of a list: which rows, in which order, and whether all of them are counted. */
export interface Page<Key extends string = string> {
  limit: number
  offset: number
  /** Most significant key first; without any, the list has its default order. */
  sort: readonly { key: Key; descending: boolean }[]
  counted: boolean
}

/** The rows of one page; `count` is the number of rows on all pages, null unless it was requested. */
export interface Paged<R> {
  records: R[]
  count: number | null
}

/** What rows are sorted by; where it can be null, see `nullsLast`. */
export type Order = Expression<unknown> | { nullsLast: Expression<unknown> }

/** What rows are sorted by, those without it last in both directions. */
export function nullsLast(expression: Expression<unknown>): Order {
  return { nullsLast: expression }
}

/**
 * Reads one page of what a query selects. `orders` maps each sort key to its expression; rows that
 * are equal there are ordered by `tieBreaker`, so that no row is on two pages.
 */
export async function readPage<TB extends keyof Tables, R, Key extends string>(
  query: SelectQueryBuilder<Tables, TB, R>,
  { limit, offset, sort, counted }: Page<Key>,
  orders: Readonly<Record<Key, Order>>,
  tieBreaker: Expression<unknown>,
): Promise<Paged<R>> {
  const sorted = sort.reduce(
    (query, { key, descending }) => orderedBy(query, orders[key], descending ? 'desc' : 'asc'),
    query,
  )
  const [records, count] = await Promise.all([
    sorted.orderBy(tieBreaker).limit(limit).offset(offset).execute(),
    counted ? countOf(query) : null,
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
  query: SelectQueryBuilder<Tables, TB, R>,
): Promise<number> {
  const { count } = await query
    .clearSelect()
    .clearOrderBy()
    .select(sql<string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
