import { integer, list } from '../../parameters/kinds.ts'
import {
  described,
  parameter,
  type Parameters,
  splitName,
  unlisted,
} from '../../parameters/parameter.ts'
import type { Representation, Resource } from './resource.ts'

/** A list of resources of one type, with its filters. */
export interface Collection<T extends object = never, Filters extends Parameters = Parameters> {
  /** Also the name of the member that holds the entries. */
  type: string
  /** Its name in the home document, if different. */
  name?: string
  of: Resource<T>
  /** Representation of entries unless the caller chooses one; `standard` by default. */
  representation?: Representation
  /** Attributes that entries show in addition to those of `standard`, without `include`. */
  besides?: readonly string[]
  /** The number of entries of a page unless the caller gives another number; absent if there are no pages. */
  limit?: number
  /** The possible sort keys and the default order, which is the list's own order if undefined. */
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
 * A list of records of one type: `collectionOf<Build>()({ … })`. A default order with an unknown sort
 * key does not compile, nor does reading a filter that it does not have.
 */
export function collectionOf<T extends object>() {
  return <Filters extends Parameters = NoFilters, Key extends string = never>(
    collection: Collection<T, Filters> & Sorted<Key>,
  ): Collection<T, Filters> => collection
}

/** Only `true` turns on `skip_count`. */
const skipCount = parameter<boolean>({
  schema: { type: 'boolean', default: false },
  parse: (given) => given === true || given === 'true',
})

/** The most entries that a page can have, regardless of the requested limit. */
export const mostEntries = 100

const pageOf = (limit: number) => ({
  limit: described(
    `how many entries a page has: ${limit} by default, at most ${mostEntries}; 0 means as many as possible`,
    integer(),
  ),
  offset: described('number of entries to skip', integer()),
  skip_count: unlisted(skipCount),
})

const sortedBy = (keys: readonly string[]) =>
  described(
    `sort order of the entries, with \`:desc\` after a word for descending order: ${keys.join(', ')}`,
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
