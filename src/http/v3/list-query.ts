import { wrongParams } from '../../domain/errors.ts'
import type { Page } from '../../store/page.ts'
import type { Call } from '../endpoint.ts'
import { listIn } from '../list-in.ts'
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

export function readListQuery(collection: Collection, query: Call['query']): ListQuery {
  const { limit, sort, filters } = collection
  return {
    limit: limitFor(integerIn(query, 'limit') ?? limit, limit),
    offset: Math.max(0, integerIn(query, 'offset') ?? 0),
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

function integerIn(query: Call['query'], name: string): number | undefined {
  const value = query[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value)) {
    throw wrongParams(`${name} must be an integer`)
  }
  return Number(value)
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
function valuesOf(query: Call['query'], names: readonly string[]): string[] {
  return listIn(names.map((name) => query[name]).find((value) => value !== undefined))
}

/** The value that a flag is filtered by; undefined if both or neither are wanted. */
export function flagIn(values: readonly string[] = []): boolean | undefined {
  const flags = new Set(values.map((value) => value !== 'false' && value !== '0'))
  return flags.size === 1 ? flags.has(true) : undefined
}
