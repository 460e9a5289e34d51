import { integer, list } from '../parameters/kinds.ts'
import {
  described,
  parameter,
  type Parameters,
  splitName,
  unlisted,
} from '../parameters/parameter.ts'
import type { Representation, Resource } from './resource.ts'

/** A list of resources of one type, with its filters. */
export interface Collection<T extends object = never, Filters extends Parameters = Parameters> {
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
  /** Sort keys that are accepted like the others, but not listed in the home document. */
  hiddenKeys?: readonly string[]
  /** Such as `branch.name`; for a member of the entries' own type the last part is enough. */
  filters?: Filters
}

type NoFilters = Readonly<Record<string, never>>

interface Sorted<Key extends string> {
  sort?: { keys: readonly Key[]; default?: readonly NoInfer<Key | `${Key}:desc`>[] }
}

/**
 * A list of records of one type: `collectionOf<Build>()({ … })`. A key of its default order that it
 * cannot be sorted by does not compile, nor does reading a filter that it has not.
 */
export function collectionOf<T extends object>() {
  return <Filters extends Parameters = NoFilters, Key extends string = never>(
    collection: Collection<T, Filters> & Sorted<Key>,
  ): Collection<T, Filters> => collection
}

/** Only `true` turns it on. */
const skipCount = parameter<boolean>({
  schema: { type: 'boolean', default: false },
  parse: (given) => given === true || given === 'true',
})

/** The most entries that a page has, whatever a call requests. */
export const mostEntries = 100

const pageOf = (limit: number) => ({
  limit: described(
    `how many entries a page has: ${limit} by default, at most ${mostEntries}; 0 means as many as possible`,
    integer(),
  ),
  offset: described('how many entries are left out before the first', integer()),
  skip_count: unlisted(skipCount),
})

const sortedBy = (keys: readonly string[]) =>
  described(
    `by what entries are sorted, with \`:desc\` behind a word the other way round: ${keys.join(', ')}`,
    list(),
  )

/** The parameters that a list accepts. */
export function acceptedBy({ of, limit, sort, filters = {} }: Collection): Parameters {
  const isOwn = (filter: string) => splitName(filter).type === of.type
  const named = Object.entries(filters).map(
    ([name, filter]) => [name, isOwn(name) ? { ...filter, plain: true } : filter] as const,
  )
  return {
    ...(limit === undefined ? {} : pageOf(limit)),
    ...(sort ? { sort_by: sortedBy(sort.keys) } : {}),
    ...Object.fromEntries(named),
  }
}
