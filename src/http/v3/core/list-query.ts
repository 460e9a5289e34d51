import type { Page, Paged } from '../../../store/sql/page.ts'
import type { Parameters, Values } from '../../parameters/parameter.ts'
import { type Collection, mostEntries } from './collection.ts'
import { type Warning, warning } from './warnings.ts'

/** Which entries of a collection a call requests. */
export interface ListQuery<Filters extends Parameters = Parameters> extends Page {
  /** Values of its filters, by their dotted names. */
  filters: Values<Filters>
}

/** The query of a call for one collection: `QueryOf<typeof builds>`. */
export type QueryOf<C extends Pick<Collection, 'filters'>> = ListQuery<NonNullable<C['filters']>>

/** The values of the parameters that a collection accepts. */
export interface ListValues {
  readonly limit?: number
  readonly offset?: number
  readonly skip_count?: boolean
  readonly sort_by?: readonly string[]
  readonly [filter: string]: unknown
}

/** A page of a list that is not counted: only its last page has a count. */
export function uncounted<T>(
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
  records: T[],
): Paged<T> {
  return { records, count: records.length < limit ? offset + records.length : null }
}

/** Reads which page is requested; `warn` is called for each invalid part of `sort_by`. */
export function readListQuery<Filters extends Parameters>(
  { limit = mostEntries, sort, hiddenKeys = [] }: Omit<Collection<never, Filters>, 'of'>,
  values: ListValues,
  warn: (warning: Warning) => void,
): ListQuery<Filters> {
  const keys = [...(sort?.keys ?? []), ...hiddenKeys]
  return {
    limit: limitFor(values.limit ?? limit, limit),
    offset: Math.max(0, values.offset ?? 0),
    sort: readSort(keys, values.sort_by ?? sort?.default ?? [], warn),
    counted: values.skip_count !== true,
    filters: values as Values<Filters>,
  }
}

function limitFor(requested: number, usual: number): number {
  if (requested < 0) return usual
  return requested === 0 ? mostEntries : Math.min(requested, mostEntries)
}

function readSort(
  keys: readonly string[],
  requested: readonly string[],
  warn: (warning: Warning) => void,
): ListQuery['sort'] {
  return requested.flatMap((value) => {
    const [key = '', direction = 'asc', ...rest] = value.split(':')
    if (keys.includes(key) && ['asc', 'desc'].includes(direction) && rest.length === 0) {
      return { key, descending: direction === 'desc' }
    }
    const message = `query value ${value} for sort_by is not a valid sort field, ignored`
    warn({ ...warning('ignored_value', 'sort_by', message), value })
    return []
  })
}
