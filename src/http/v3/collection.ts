import type { Resource } from './resource.ts'

/** A list of resources of one type, page by page. */
export interface Collection<T extends object = never> {
  /** Also the name of the member that holds the entries. */
  type: string
  of: Resource<T>
  /** How many entries a page has unless the caller says so. */
  limit: number
  /** What it can be sorted by, and how it is, written as in `sort_by`. */
  sort: { keys: readonly string[]; default: string }
  /** Such as `branch.name`; for a member of the entries' own type the last part will do. */
  filters: readonly string[]
}

/** The names that a filter goes by in a query, the dotted one first. */
export function filterNames({ of }: Pick<Collection, 'of'>, filter: string): string[] {
  const [type, name = ''] = filter.split('.', 2)
  return type === of.type ? [filter, name] : [filter]
}

/** The names of the parameters that a list takes. */
export function acceptedBy(collection: Collection): string[] {
  const filters = collection.filters.flatMap((filter) => filterNames(collection, filter))
  return ['limit', 'offset', 'sort_by', ...filters]
}
