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

export interface PresentedPending {
  [tag]: 'pending'
  type: string
  members: Readonly<Record<string, unknown>>
}

/**
 * What an endpoint presents, before it is rendered. `mount.ts` renders it, so that no resource
 * imports the module that imports all of them.
 */
export type Presented = PresentedRecord | PresentedPage | PresentedPending

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

/**
 * Presents what was accepted but not done yet, with status 202: what it is done to, what was asked
 * for. A member can be a presented record.
 */
export function pending(
  type: string,
  members: Readonly<Record<string, unknown>>,
): PresentedPending {
  return { [tag]: 'pending', type, members }
}

export function isPresented(value: unknown): value is Presented {
  return typeof value === 'object' && value !== null && tag in value
}

export function isPending(presented: Presented): presented is PresentedPending {
  return presented[tag] === 'pending'
}

export function isPage(presented: Presented): presented is PresentedPage {
  return presented[tag] === 'page'
}
