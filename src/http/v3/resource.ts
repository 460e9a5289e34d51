import type { Viewer } from '../../access/viewer.ts'
import type { Context } from '../../flow/context.ts'
import type { Schema } from '../openapi/schema.ts'
import type { Include } from './include.ts'

/** What rendering needs to know about the call. */
export interface View {
  /** One object for each call, which is all that it is: what loaders have read belongs to it. */
  call: object
  ctx: Pick<Context, 'db' | 'now' | 'config' | 'sealer'>
  viewer: Viewer
  /** Puts the installation's prefix, and `/v3` if the call came that way, before a path. */
  href(path: string): string
  include: Include
}

/**
 * The record behind each type of resource. Each resource adds its own in its file, so that links
 * name types that exist, with the right record, and resources need not import each other.
 */
export interface Models {}

/** A record of another resource, named by its type. */
export type Linked = { [T in keyof Models]: { type: T; model: Models[T] } }[keyof Models]

/** Called once for all records of a list; returns a value for each, in their order. */
export type ForAll<T, V> = (
  view: View,
  models: readonly T[],
) => Promise<readonly V[]> | readonly V[]

/** An attribute that is other records, one or many, of one type. */
type LinkToOne<T> = {
  [To in keyof Models]: {
    to: To
    read: ForAll<T, Models[To] | readonly Models[To][] | null>
    /** The list that many are shown as; without it they are an array. */
    list?: LinkedList<T>
  }
}[keyof Models]

/** A list of resources that is an attribute: its type, and its path of its own. */
interface LinkedList<T> {
  type: string
  href(model: T): string
}

/** One that may be of several types: then each record comes with its own. */
interface LinkToAny<T> {
  to: readonly (keyof Models)[]
  read: ForAll<T, Linked | null>
}

export type Link<T> = LinkToOne<T> | LinkToAny<T>

type Values<T, Name extends string> = Readonly<Record<Name, ForAll<T, unknown>>>
type Links<T, Name extends string> = Readonly<Record<Name, Link<T>>>

/** Columns that are shown as they are. A time is not: it needs a value that formats it. */
type Column<T> = {
  [K in keyof T & string]: Extract<T[K], Date | object> extends never ? K : never
}[keyof T & string]

type Rights = { read: boolean; write: boolean }

/** What a resource is made of: its attributes are columns of the record, values and links. */
interface Description<T extends object, R extends Rights, V extends string, L extends string> {
  type: string
  /** Its name in errors, where that is another one. */
  errorName?: string
  /** The canonical path; absent for resources without one, undefined for a record without one. */
  href?(model: T): string | undefined
  rights(viewer: Viewer, model: T): R
  /** The names of the rights, in their order. */
  permissions: readonly (keyof NoInfer<R> & string)[]
  /**
   * The names of the attributes in each representation. `minimal` is how others show it; those
   * besides `standard` are for lists only.
   */
  representations: Representations<Attribute<T, V, L>>
  /** Attributes that are shown only when requested with `include`. */
  includable?: readonly Attribute<T, V, L>[]
  /** Links of a representation that stay `minimal` there when they are included. */
  alwaysMinimal?: Partial<Record<Representation, readonly NoInfer<L>[]>>
  /** Attributes of the interface that this version cannot show yet: null when they are included. */
  later?: readonly string[]
  /** Attributes that are computed. */
  values?: Values<T, V>
  /** Attributes that are other resources, one or many. */
  links?: Links<T, L>
  /** What attributes hold, for the document, where that is not what the name means elsewhere. */
  types?: Types<Attribute<T, V, L>>
  /** Attributes that can be missing: all others are null where there is nothing to show. */
  optional?: readonly (Attribute<T, V, L> | '@href')[]
}

type Types<Name extends string> = Readonly<Partial<Record<Name, Schema>>>

type Attribute<T, V, L> = NoInfer<Column<T> | V | L>

/** A type of resource that V3 shows. Attributes without a value or link are the record's own. */
export interface Resource<T extends object> {
  type: string
  errorName?: string
  href?(model: T): string | undefined
  rights(viewer: Viewer, model: T): Rights
  permissions: readonly string[]
  representations: Representations<string>
  includable?: readonly string[]
  alwaysMinimal?: Partial<Record<Representation, readonly string[]>>
  later?: readonly string[]
  values?: Values<T, string>
  links?: Links<T, string>
  types?: Types<string>
  optional?: readonly string[]
}

export type Representation = 'minimal' | 'standard' | 'list' | 'minimal_with_build' | 'active'

type Representations<Name> = Readonly<
  Record<'minimal' | 'standard', readonly Name[]> & Partial<Record<Representation, readonly Name[]>>
>

/** Any resource, whatever its record. */
export type AnyResource = Resource<never>

/** Resources by their types. */
export type Registry = Readonly<Record<string, AnyResource>>

/**
 * A resource that shows records of one type: `resourceOf<Build>()({ … })`. A name that is not a
 * column, value, link or right of it does not compile, nor does a column that is a time or an object.
 */
export function resourceOf<T extends object>() {
  return <R extends Rights, V extends string = never, L extends string = never>(
    description: Description<T, R, V, L>,
  ): Resource<T> => description
}

/** The value of an attribute that a record is shown without. */
export const absent = Symbol('absent')

/** The same value for every record. */
export function always(value: unknown) {
  return (_view: View, models: readonly unknown[]): unknown[] => models.map(() => value)
}

/** A value computed for each record separately. */
export function each<T, V>(value: (model: T, view: View) => V) {
  return (view: View, models: readonly T[]): V[] => models.map((model) => value(model, view))
}

/** In which an endpoint shows records, but none that a caller can choose. */
const internal: readonly string[] = ['active'] satisfies Representation[]

/** The representations of a resource that callers can choose. */
export function offeredRepresentations({ representations }: AnyResource): Representation[] {
  return (Object.keys(representations) as Representation[]).filter(
    (name) => !internal.includes(name),
  )
}

/** Everything a resource can show. */
export function attributesOf(resource: AnyResource): string[] {
  const { representations, includable = [], later = [] } = resource
  const { minimal, standard, ...others } = representations
  const shown = [standard, minimal, ...Object.values(others)].flat()
  return [...new Set([...shown, ...includable, ...later])]
}
