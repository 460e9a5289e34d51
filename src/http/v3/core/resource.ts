import type { Viewer } from '../../../access/viewer.ts'
import type { Context } from '../../../flow/context.ts'
import type { JsonSchema } from '../../openapi/schema.ts'
import type { Include } from '../render/include.ts'

/** The data of a call that rendering needs. */
export interface View {
  /** An object that only identifies the call; values read by loaders belong to it. */
  call: object
  ctx: Pick<Context, 'db' | 'now' | 'config' | 'sealer'>
  viewer: Viewer
  /** Prepends the installation's prefix, and `/v3` if the call's path began with it, to a path. */
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
    /** The list that shows many records; without it they are an array. */
    list?: LinkedList<T>
  }
}[keyof Models]

/** An attribute that is a list of resources: its type, and its own path. */
interface LinkedList<T> {
  type: string
  href(model: T): string
}

/** An attribute whose record can have one of several types; each record comes with its type. */
interface LinkToAny<T> {
  to: readonly (keyof Models)[]
  read: ForAll<T, Linked | null>
}

export type Link<T> = LinkToOne<T> | LinkToAny<T>

type Values<T, Name extends string> = Readonly<Record<Name, ForAll<T, unknown>>>
type Links<T, Name extends string> = Readonly<Record<Name, Link<T>>>

/** Columns that are shown unchanged. Times are excluded: they need a value that formats them. */
type Column<T> = {
  [K in keyof T & string]: Extract<T[K], Date | object> extends never ? K : never
}[keyof T & string]

type Rights = { read: boolean; write: boolean }

/** The description of a resource: its attributes are columns of the record, values and links. */
interface Description<T extends object, R extends Rights, V extends string, L extends string> {
  type: string
  /** Its name in errors, if different. */
  errorName?: string
  /** The canonical path; absent for resources without one, undefined for a record without one. */
  href?(model: T): string | undefined
  rights(viewer: Viewer, model: T): R
  /** The names of the rights, in their order. */
  permissions: readonly (keyof NoInfer<R> & string)[]
  /**
   * The names of the attributes in each representation. `minimal` is used within other resources; all
   * others except `standard` are for lists only.
   */
  representations: Representations<Attribute<T, V, L>>
  /** Attributes that are shown only when requested with `include`. */
  includable?: readonly Attribute<T, V, L>[]
  /** Links of a representation that stay `minimal` there when they are included. */
  alwaysMinimal?: Partial<Record<Representation, readonly NoInfer<L>[]>>
  /** Attributes that are computed. */
  values?: Values<T, V>
  /** Attributes that are other resources, one or many. */
  links?: Links<T, L>
  /** Types of attributes, for the document, if they differ from the usual type of that name. */
  types?: Types<Attribute<T, V, L>>
  /** Attributes that can be missing; all others are null if there is nothing to show. */
  optional?: readonly (Attribute<T, V, L> | '@href')[]
}

type Types<Name extends string> = Readonly<Partial<Record<Name, JsonSchema>>>

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
  values?: Values<T, string>
  links?: Links<T, string>
  types?: Types<string>
  optional?: readonly string[]
}

export type Representation = 'minimal' | 'standard' | 'list' | 'minimal_with_build' | 'active'

type Representations<Name> = Readonly<
  Record<'minimal' | 'standard', readonly Name[]> & Partial<Record<Representation, readonly Name[]>>
>

/** Any resource, with any type of record. */
export type AnyResource = Resource<never>

/** Resources by their types. */
export type Registry = Readonly<Record<string, AnyResource>>

/**
 * A resource that shows records of one type: `resourceOf<Build>()({ … })`. A name that is none of its
 * columns, values, links or rights does not compile, nor does a column that is a time or an object.
 */
export function resourceOf<T extends object>() {
  return <R extends Rights, V extends string = never, L extends string = never>(
    description: Description<T, R, V, L>,
  ): Resource<T> => description
}

/** Value of an attribute that is left out of a record. */
export const absent = Symbol('absent')

/** Returns one value for all records. */
export function always(value: unknown) {
  return (_view: View, models: readonly unknown[]): unknown[] => models.map(() => value)
}

/** A value computed for each record separately. */
export function each<T, V>(value: (model: T, view: View) => V) {
  return (view: View, models: readonly T[]): V[] => models.map((model) => value(model, view))
}

/** Representations that endpoints use but callers cannot choose. */
const internal: readonly string[] = ['active'] satisfies Representation[]

/** The representations of a resource that callers can choose. */
export function offeredRepresentations({ representations }: AnyResource): Representation[] {
  return (Object.keys(representations) as Representation[]).filter(
    (name) => !internal.includes(name),
  )
}

/** Everything a resource can show. */
export function attributesOf(resource: AnyResource): string[] {
  const { representations, includable = [] } = resource
  const { minimal, standard, ...others } = representations
  const shown = [standard, minimal, ...Object.values(others)].flat()
  return [...new Set([...shown, ...includable])]
}
