import { wrongParams } from '../../../domain/errors.ts'
import {
  type AnyResource,
  attributesOf,
  type Registry,
  type Representation,
} from '../core/resource.ts'
import type { Include } from './include.ts'

/** Attribute that every record shows, and that can be included as well. */
const permissions = '@permissions'

/** The way in which a resource is shown. */
export interface Shape {
  representation: Representation
  /** Attributes that are shown in addition to the representation's. */
  besides?: readonly string[]
  /** Whether includes are ignored: the record is only named, because the viewer cannot read it. */
  bare?: boolean
}

/**
 * The attributes of a resource that are shown, with the representation of the records in each. Throws if
 * an included attribute does not exist.
 */
export function shownIn(resource: AnyResource, shape: Shape, include: Include): Attributes {
  const requested = shape.bare ? undefined : include.get(resource.type)
  if (requested || shape.besides?.length) return attributesShown(resource, shape, requested)
  const known = usual.get(resource) ?? new Map<Representation, Attributes>()
  usual.set(resource, known)
  const shown = known.get(shape.representation) ?? attributesShown(resource, shape)
  known.set(shape.representation, shown)
  return shown
}

type Attributes = ReadonlyMap<string, 'minimal' | 'standard'>

/** Attributes of resources without includes, which are the same in all calls. */
const usual = new WeakMap<AnyResource, Map<Representation, Attributes>>()

function attributesShown(
  resource: AnyResource,
  { representation, besides = [] }: Shape,
  requested: ReadonlyMap<string, string> = new Map(),
): Attributes {
  const known = new Set([...attributesOf(resource), permissions])
  for (const [name, written] of requested) {
    if (!known.has(name)) throw wrongParams(`"${written}" cannot be included`)
  }
  const shown = resource.representations[representation] ?? []
  const short = resource.alwaysMinimal?.[representation] ?? []
  const isFull = (name: string) => requested.has(name) && !short.includes(name)
  const names = [...shown, ...besides, ...requested.keys()].filter((name) => name !== permissions)
  return new Map(names.map((name) => [name, isFull(name) ? 'standard' : 'minimal']))
}

/**
 * Throws if an include cannot be shown in a document with this resource. All records that the document
 * can contain are considered, although it may lack some of them.
 */
export function checkIncluded(
  registry: Registry,
  resource: AnyResource,
  shape: Shape,
  include: Include,
  checked: Set<string> = new Set(),
): void {
  const key = `${resource.type} ${shape.representation}`
  if (checked.has(key)) return
  checked.add(key)
  for (const [name, representation] of shownIn(resource, shape, include)) {
    for (const type of [resource.links?.[name]?.to ?? []].flat()) {
      const linked = registry[type]
      if (linked) checkIncluded(registry, linked, { representation }, include, checked)
    }
  }
}

/** Position of a record in a document: the records around it, and its entry of the list. */
export interface Nesting {
  within: ReadonlySet<string>
  entry: number
}

/** Whether records are shown already: around themselves, or as an earlier entry of the list. */
export function nestings(resource: AnyResource, entries: readonly object[]) {
  const firsts = new Map<string, number>()
  for (const [index, entry] of entries.entries()) {
    const identity = identityOf(resource, entry)
    if (identity !== undefined && !firsts.has(identity)) firsts.set(identity, index)
  }
  return {
    isShown(resource: AnyResource, model: object, { within, entry }: Nesting): boolean {
      const identity = identityOf(resource, model)
      if (identity === undefined) return false
      return within.has(identity) || (firsts.get(identity) ?? entry) < entry
    },
  }
}

/** Position of the records that a record links to. */
export function inside(resource: AnyResource, model: object, { within, entry }: Nesting): Nesting {
  const identity = identityOf(resource, model)
  return { within: identity === undefined ? within : new Set([...within, identity]), entry }
}

/** Equal for the same record; undefined for a record without an identifier. */
function identityOf(resource: AnyResource, model: object): string | undefined {
  const href = resource.href?.(model as never)
  if (href !== undefined) return href
  return 'id' in model ? `${resource.type} ${String(model.id)}` : undefined
}
