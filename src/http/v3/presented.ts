import type { Paged } from '../../store/page.ts'
import type { Collection } from './collection.ts'
import type { ListQuery } from './list-query.ts'
import type { AnyResource, Representation, Resource } from './resource.ts'

const tag = Symbol('shown')

export interface ShownRecord {
  [tag]: 'record'
  resource: AnyResource
  representation: Representation
  model: object
}

export interface ShownPage {
  [tag]: 'page'
  collection: Collection
  query: ListQuery
  page: Paged<object>
}

/**
 * What an endpoint shows, before it is rendered: `mount.ts` does that, so that no resource imports
 * what imports all of them.
 */
export type Shown = ShownRecord | ShownPage

/** Presents one record. */
export function as<T extends object>(representation: Representation, resource: Resource<T>) {
  return (model: T): ShownRecord => ({ [tag]: 'record', resource, representation, model })
}

/** Presents one page of a collection. */
export function asPage<T extends object>(collection: Collection<T>) {
  return ({ query, page }: { query: ListQuery; page: Paged<T> }): ShownPage => ({
    [tag]: 'page',
    collection,
    query,
    page,
  })
}

export function isShown(value: unknown): value is Shown {
  return typeof value === 'object' && value !== null && tag in value
}

export function isPage(shown: Shown): shown is ShownPage {
  return shown[tag] === 'page'
}
