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

/**
 * Reads one page of what a query selects. `orders` maps each sort key to its expression; rows that
 * are equal there are ordered by `tieBreaker`, so that no row is on two pages.
 */
export async function readPage<TB extends keyof Tables, R, Key extends string>(
  query: SelectQueryBuilder<Tables, TB, R>,
  { limit, offset, sort, counted }: Page<Key>,
  orders: Readonly<Record<Key, Expression<unknown>>>,
  tieBreaker: Expression<unknown>,
): Promise<Paged<R>> {
  const sorted = sort.reduce(
    (query, { key, descending }) => query.orderBy(orders[key], descending ? 'desc' : 'asc'),
    query,
  )
  const [records, count] = await Promise.all([
    sorted.orderBy(tieBreaker).limit(limit).offset(offset).execute(),
    counted ? countOf(query) : null,
  ])
  return { records, count }
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
