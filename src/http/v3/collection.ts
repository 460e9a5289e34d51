import { integer, list } from '../parameters/kinds.ts'
import { parameter, type Parameters } from '../parameters/parameter.ts'
import type { Representation, Resource } from './resource.ts'

/** A list of resources of one type; `Filter` are the names of its filters. */
export interface Collection<T extends object = never, Filter extends string = string> {
  /** Also the name of the member that holds the entries. */
  type: string
  /** What the home document lists it as, where that is another name. */
  name?: string
  of: Resource<T>
  /** How entries are shown unless the caller chooses; `standard` if nothing is said. */
  representation?: Representation
  /** Attributes that entries show besides those of `standard`, without being included. */
  besides?: readonly string[]
  /** The number of entries of a page unless the caller gives another; absent if there are no pages. */
  limit?: number
  /** The possible sort keys, and the default order; without one it is that of the list. */
  sort?: { keys: readonly string[]; default?: readonly string[] }
  /** Such as `branch.name`; for a member of the entries' own type the last part is enough. */
  filters?: readonly Filter[]
  /** What is accepted like the others, but not listed in the home document. */
  hidden?: { keys?: readonly string[]; filters?: readonly Filter[] }
}

interface Sorted<Key extends string> {
  sort?: { keys: readonly Key[]; default?: readonly NoInfer<Key | `${Key}:desc`>[] }
}

/**
 * A list of records of one type: `collectionOf<Build>()({ … })`. A key of its default order that it
 * cannot be sorted by does not compile, nor does reading a filter that it has not.
 */
export function collectionOf<T extends object>() {
  return <const Filter extends string = never, Key extends string = never>(
    collection: Collection<T, Filter> & Sorted<Key>,
  ): Collection<T, Filter> => collection
}

/** Only `true` turns it on. */
const skipCount = parameter<boolean>({
  schema: { type: 'boolean', default: false },
  parse: (given) => given === true || given === 'true',
})

const page = { limit: integer(), offset: integer(), skip_count: { ...skipCount, hidden: true } }

/** The parameters that a list accepts. */
export function acceptedBy({ of, limit, sort, filters = [], hidden = {} }: Collection): Parameters {
  const isOwn = (filter: string) => filter.startsWith(`${of.type}.`)
  const filter = (name: string) => [name, { ...list(), plain: isOwn(name) }] as const
  const hiddenFilter = (name: string) => [name, { ...filter(name)[1], hidden: true }] as const
  return {
    ...(limit === undefined ? {} : page),
    ...(sort ? { sort_by: list() } : {}),
    ...Object.fromEntries(filters.map(filter)),
    ...Object.fromEntries((hidden.filters ?? []).map(hiddenFilter)),
  }
}
