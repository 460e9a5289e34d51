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

/** The names of the parameters that a list accepts. */
export function acceptedBy(collection: Collection): string[] {
  const filters = collection.filters.flatMap((filter) => filterNames(collection, filter))
  return ['limit', 'offset', 'sort_by', ...filters]
}
