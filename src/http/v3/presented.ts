import type { Paged } from '../../store/page.ts'
import type { Collection } from './collection.ts'
import type { ListQuery } from './list-query.ts'
import type { AnyResource, Representation, Resource } from './resource.ts'

const tag = Symbol('presented')

export interface PresentedRecord {
  [tag]: 'record'
  resource: AnyResource
  representation: Representation
  model: object
}

export interface PresentedPage {
  [tag]: 'page'
  collection: Collection
  query: ListQuery
  page: Paged<object>
}

/**
 * What an endpoint presents, before it is rendered. `mount.ts` renders it, so that no resource
 * imports the module that imports all of them.
 */
export type Presented = PresentedRecord | PresentedPage

/** Presents one record. */
export function as<T extends object>(representation: Representation, resource: Resource<T>) {
  return (model: T): PresentedRecord => ({ [tag]: 'record', resource, representation, model })
}

/** Presents one page of a collection. */
export function asPage<T extends object>(collection: Collection<T>) {
  return ({ query, page }: { query: ListQuery; page: Paged<T> }): PresentedPage => ({
    [tag]: 'page',
    collection,
    query,
    page,
  })
}

export function isPresented(value: unknown): value is Presented {
  return typeof value === 'object' && value !== null && tag in value
}

export function isPage(presented: Presented): presented is PresentedPage {
  return presented[tag] === 'page'
}
