import type { Viewer } from '../../access/viewer.ts'
import type { Context } from '../../flow/context.ts'

export type Rights = { read: boolean; write: boolean } & Record<string, boolean>

/** What rendering needs to know of the call it renders for. */
export interface View {
  ctx: Pick<Context, 'db' | 'now' | 'config'>
  viewer: Viewer
  /** Puts the installation's prefix, and `/v3` if the call came that way, before a path. */
  href(path: string): string
  /** The attributes asked for with `include`, by resource type. */
  include: ReadonlyMap<string, ReadonlySet<string>>
}

/** A record of another resource, named by type so that resources need not import each other. */
export interface Linked {
  type: string
  model: object
}

/** Asked once for all records of a list, and answers in their order. */
type ForAll<T, V> = (view: View, models: readonly T[]) => Promise<readonly V[]> | readonly V[]

/** The same value for every record. */
export function always(value: unknown) {
  return (_view: View, models: readonly unknown[]): unknown[] => models.map(() => value)
}

/** One kind of thing that V3 shows. Attributes that are not told of are the record's own. */
export interface Resource<T extends object> {
  type: string
  /** The canonical path; absent for what has none of its own. */
  href?(model: T): string
  rights(viewer: Viewer, model: T): Rights
  /** The names of the rights, in their order. */
  permissions: readonly string[]
  /** The names of the attributes in each representation. `minimal` is how others show it. */
  representations: Readonly<Record<'minimal' | 'standard', readonly string[]>>
  /** Attributes that are shown only when they are asked for. */
  includable?: readonly string[]
  /** Attributes that are computed. */
  values?: Readonly<Record<string, ForAll<T, unknown>>>
  /** Attributes that are other resources, one or many. */
  links?: Readonly<Record<string, ForAll<T, Linked | readonly Linked[] | null>>>
}

/** Any resource, where it does not matter of what. */
export type AnyResource = Resource<never>

/** Everything a resource can show. */
export function attributesOf({ representations, includable = [] }: AnyResource): string[] {
  return [...new Set([...Object.values(representations).flat(), ...includable])]
}
