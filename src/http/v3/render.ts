import { wrongParams } from '../../domain/errors.ts'
import {
  type AnyResource,
  attributesOf,
  type Linked,
  type Resource,
  type View,
} from './resource.ts'

export type Registry = Readonly<Record<string, AnyResource>>

interface Place {
  model: object
  /** The paths of what this record is shown in, itself included. */
  chain: ReadonlySet<string>
}

type Shown = Record<string, unknown>

/**
 * Renders records of one resource as V3 shows them. What they link to is read once for the whole
 * list, level by level, and shown `minimal`, or `standard` where `include` names it.
 */
export async function render<T extends object>(
  registry: Registry,
  view: View,
  resource: Resource<T>,
  models: readonly T[],
  representation: 'minimal' | 'standard' = 'standard',
): Promise<Shown[]> {
  const places = models.map((model) => ({ model, chain: new Set<string>() }))
  return renderPlaces(registry, view, resource, places, representation)
}

async function renderPlaces(
  registry: Registry,
  view: View,
  resource: AnyResource,
  places: readonly Place[],
  representation: 'minimal' | 'standard',
): Promise<Shown[]> {
  if (places.length === 0) return []
  const included = includedIn(resource, view)
  const names = [...new Set([...resource.representations[representation], ...included])]
  const within = places.map(({ model, chain }) => ({
    model,
    chain: inside(resource, model, chain),
  }))
  const columns = await Promise.all(
    names.map((name) => column(registry, view, resource, within, name, included.has(name))),
  )
  return places.map(({ model }, row) => ({
    '@type': resource.type,
    ...(resource.href ? { '@href': view.href(resource.href(model as never)) } : {}),
    '@representation': representation,
    '@permissions': resource.rights(view.viewer, model as never),
    ...Object.fromEntries(names.map((name, index) => [name, columns[index]?.[row] ?? null])),
  }))
}

function inside(
  resource: AnyResource,
  model: object,
  chain: ReadonlySet<string>,
): ReadonlySet<string> {
  const own = resource.href?.(model as never)
  return own === undefined ? chain : new Set([...chain, own])
}

function includedIn(resource: AnyResource, { include }: View): ReadonlySet<string> {
  const asked = include.get(resource.type) ?? new Set<string>()
  const known = new Set([...attributesOf(resource), '@permissions'])
  for (const name of asked) {
    if (!known.has(name)) throw wrongParams(`"${resource.type}.${name}" cannot be included`)
  }
  return new Set([...asked].filter((name) => !name.startsWith('@')))
}

/** One attribute of all the records. */
async function column(
  registry: Registry,
  view: View,
  resource: AnyResource,
  places: readonly Place[],
  name: string,
  included: boolean,
): Promise<readonly unknown[]> {
  const models = places.map(({ model }) => model) as never[]
  const value = resource.values?.[name]
  if (value) return value(view, models)
  const link = resource.links?.[name]
  if (!link) return models.map((model) => (model as Shown)[name])
  const linked = await link(view, models)
  return renderLinked(registry, view, linked, places, included ? 'standard' : 'minimal')
}

/** A linked record, with the place that it is shown in. */
type Item = Linked & Place

async function renderLinked(
  registry: Registry,
  view: View,
  linked: readonly (Linked | readonly Linked[] | null)[],
  places: readonly Place[],
  representation: 'minimal' | 'standard',
): Promise<readonly unknown[]> {
  const items = linked.map((each, row) => itemsIn(each, places[row]))
  const shown = await renderItems(registry, view, items.flat(), representation)
  return linked.map((each, row) => {
    const own = (items[row] ?? []).map((item) => shown.get(item))
    return each === null || 'type' in each ? (own[0] ?? null) : own
  })
}

function itemsIn(linked: Linked | readonly Linked[] | null, place: Place | undefined): Item[] {
  const chain = place?.chain ?? new Set<string>()
  return [linked ?? []].flat().map(({ type, model }) => ({ type, model, chain }))
}

/** Linked records may be of several types; each type is rendered in one go. */
async function renderItems(
  registry: Registry,
  view: View,
  items: readonly Item[],
  representation: 'minimal' | 'standard',
): Promise<Map<Item, unknown>> {
  const shown = new Map<Item, unknown>()
  for (const type of new Set(items.map((item) => item.type))) {
    const resource = registry[type]
    if (!resource) throw new Error(`there is no resource ${type}`)
    const same = items.filter((item) => item.type === type)
    const fresh = same.filter((item) => {
      const href = resource.href?.(item.model as never)
      if (href === undefined || !item.chain.has(href)) return true
      // What stands around this record is not shown inside of it again.
      shown.set(item, { '@href': view.href(href) })
      return false
    })
    const rendered = await renderPlaces(registry, view, resource, fresh, representation)
    for (const [index, item] of fresh.entries()) shown.set(item, rendered[index])
  }
  return shown
}
