import type { Page } from '../../store/page.ts'
import type { Given } from '../parameters/nest.ts'
import { listIn } from '../list-in.ts'
import { integer } from '../parameters/kinds.ts'
import { type Collection, filterNames } from './collection.ts'
import { type Warning, warning } from './warnings.ts'

/** Which entries of a collection a call requests. */
export interface ListQuery extends Page {
  /** The values of each filter, by its dotted name. */
  filters: ReadonlyMap<string, readonly string[]>
  /** The invalid parts of `sort_by`. */
  warnings: readonly Warning[]
}

const mostEntries = 100

const count = integer()

export function readListQuery(collection: Collection, query: Given): ListQuery {
  const { limit, sort, filters } = collection
  return {
    limit: limitFor(count.read(query.limit, 'limit') ?? limit, limit),
    offset: Math.max(0, count.read(query.offset, 'offset') ?? 0),
    ...readSort(sort.keys, listIn(query.sort_by ?? sort.default)),
    counted: query.skip_count !== 'true',
    filters: new Map(
      filters.map((filter) => [filter, valuesOf(query, filterNames(collection, filter))]),
    ),
  }
}

function limitFor(requested: number, usual: number): number {
  if (requested < 0) return usual
  return requested === 0 ? mostEntries : Math.min(requested, mostEntries)
}

function readSort(keys: readonly string[], requested: readonly string[]) {
  const sort: { key: string; descending: boolean }[] = []
  const warnings: Warning[] = []
  for (const value of requested) {
    const [key = '', direction = 'asc', ...rest] = value.split(':')
    if (keys.includes(key) && ['asc', 'desc'].includes(direction) && rest.length === 0) {
      sort.push({ key, descending: direction === 'desc' })
    } else {
      const message = `query value ${value} for sort_by is not a valid sort field, ignored`
      warnings.push({ ...warning('ignored_value', 'sort_by', message), value })
    }
  }
  return { sort, warnings }
}

/** The values of the first of these names that is in the query. */
function valuesOf(query: Given, names: readonly string[]): string[] {
  return listIn(names.map((name) => query[name]).find((value) => value !== undefined))
}

/** The value that a flag is filtered by; undefined if both or neither are wanted. */
export function flagIn(values: readonly string[] = []): boolean | undefined {
  const flags = new Set(values.map((value) => value !== 'false' && value !== '0'))
  return flags.size === 1 ? flags.has(true) : undefined
}
