import { integer, list } from '../parameters/kinds.ts'
import type { Parameters } from '../parameters/parameter.ts'
import type { Resource } from './resource.ts'

/** A list of resources of one type, page by page. */
export interface Collection<T extends object = never> {
  /** Also the name of the member that holds the entries. */
  type: string
  of: Resource<T>
  /** The number of entries of a page unless the caller gives another. */
  limit: number
  /** The possible sort keys, and the default order, written as in `sort_by`. */
  sort: { keys: readonly string[]; default: string }
  /** Such as `branch.name`; for a member of the entries' own type the last part is enough. */
  filters: readonly string[]
}

/** The names of a filter in a query, the dotted one first. */
export function filterNames({ of }: Pick<Collection, 'of'>, filter: string): string[] {
  const [type, name = ''] = filter.split('.', 2)
  return type === of.type ? [filter, name] : [filter]
}

/** The parameters that a list accepts. */
export function acceptedBy(collection: Collection): Parameters {
  const filters = collection.filters.map((filter) => {
    const plain = filterNames(collection, filter).length > 1
    return [filter, { ...list(), plain }] as const
  })
  return { limit: integer(), offset: integer(), sort_by: list(), ...Object.fromEntries(filters) }
}
