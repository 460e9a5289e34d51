import { wrongParams } from '../../domain/errors.ts'
import type { Include } from './include.ts'
import { type AnyResource, attributesOf, type Registry, type Representation } from './resource.ts'

/** What every record is shown with, and can be included as well. */
const permissions = '@permissions'

/** How a resource is shown. */
export interface Shape {
  representation: Representation
  /** Attributes that are shown besides those of the representation. */
  besides?: readonly string[]
  /** Whether nothing that is included is added: the viewer cannot read the record that is named here. */
  bare?: boolean
}

/**
 * The attributes of a resource that are shown, each as what its records are shown. Throws where one
 * that is included does not exist.
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

/** Those of resources of which nothing is included: the same in all calls. */
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
 * Throws where something is included that a document with this resource may not be able to show. The
 * document may also turn out not to have all that it can have.
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
