import type { Paged } from '../../../store/sql/page.ts'
import { noContent } from '../../core/answer.ts'
import type { Call } from '../../core/endpoint.ts'
import type { Collection } from './collection.ts'
import type { ListQuery } from './list-query.ts'
import type { AnyResource, Representation, Resource } from './resource.ts'

const tag = Symbol('presented')

export interface PresentedRecord {
  [tag]: 'record'
  resource: AnyResource
  representation: Representation
  model: object
  /** 200 by default. */
  status?: 201
  /** Writes the rendered record, together with content too large to be kept in memory. */
  write?(rendered: object): AsyncIterable<string>
}

export interface PresentedList {
  [tag]: 'list'
  collection: Collection
  records: readonly object[]
  /** Which page of the list it is, unless it is all of it. */
  page?: Pick<ListQuery, 'limit' | 'offset'> & { count: number | null }
}

export interface PresentedPending {
  [tag]: 'pending'
  type: string
  members: Readonly<Record<string, unknown>>
}

/**
 * The result of an endpoint, before it is rendered. `mount.ts` renders it, so that no resource imports
 * the module that imports all resources.
 */
export type Presented = PresentedRecord | PresentedList | PresentedPending

/** A resource or collection that an endpoint shows, as far as known before a call. */
export type Shown =
  | { collection: Collection }
  | { resource: AnyResource; representation: Representation }

/**
 * The last step of an endpoint. It declares what the endpoint shows, so that a call's includes can be
 * checked before anything is changed.
 */
export interface Presenter<A> {
  (result: A, call: Call): unknown
  shows: readonly Shown[]
  /** 200 by default. */
  status?: 201 | 202 | 204
}

/** A last step other than the standard ones below. */
export function showing<A>(
  shows: readonly Shown[],
  present: (result: A, call: Call) => unknown,
  status?: Presenter<A>['status'],
): Presenter<A> {
  return Object.assign(present.bind(undefined), { shows, ...(status && { status }) })
}

/** The last step of an endpoint that shows nothing, with status 204. */
export const asNothing: Presenter<unknown> = showing([], noContent, 204)

/** Presents one record. */
export function as<T extends object>(
  representation: Representation,
  resource: Resource<T>,
): Presenter<T> {
  const present = (model: T) => presented(representation, resource, model)
  return showing([{ resource, representation }], present)
}

/** A presented record, for steps and members that do not use a `Presenter` for it. */
export function presented<T extends object>(
  representation: Representation,
  resource: Resource<T>,
  model: T,
): PresentedRecord {
  return { [tag]: 'record', resource, representation, model }
}

/** Presents one record that was created, with status 201. */
export function asCreated<T extends object>(representation: Representation, resource: Resource<T>) {
  const present = (model: T): PresentedRecord => ({
    ...presented(representation, resource, model),
    status: 201,
  })
  return showing([{ resource, representation }], present, 201)
}

/** Presents one page of a collection. */
export function asPage<T extends object>(collection: Collection<T>) {
  const present = ({ query, page }: { query: ListQuery; page: Paged<T> }): PresentedList => ({
    [tag]: 'list',
    collection,
    records: page.records,
    page: { limit: query.limit, offset: query.offset, count: page.count },
  })
  return Object.assign(present, { shows: [{ collection }] })
}

/** Presents a collection that has no pages. */
export function asList<T extends object>(collection: Collection<T>) {
  const present = (records: readonly T[]): PresentedList => ({ [tag]: 'list', collection, records })
  return showing<readonly T[]>([{ collection }], present)
}

/**
 * Presents a change that was accepted but not made yet, with status 202: the record it concerns, and the
 * request. A member can be a presented record.
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

export function isList(presented: Presented): presented is PresentedList {
  return presented[tag] === 'list'
}
