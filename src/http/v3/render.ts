import { wrongParams } from '../../domain/errors.ts'
import {
  type AnyResource,
  attributesOf,
  type Linked,
  type Models,
  type Representation,
  type Resource,
  type View,
} from './resource.ts'

export type Registry = Readonly<Record<string, AnyResource>>

/** A record, and the paths of the records it is nested in. */
interface Item {
  model: object
  ancestors: ReadonlySet<string>
}

type Rendered = Record<string, unknown>

/**
 * Renders records of one resource as V3 shows them. What they link to is read and rendered once for
 * the whole list, level by level, and shown `minimal`, or `standard` if `include` names it.
 */
export async function render<T extends object>(
  registry: Registry,
  view: View,
  resource: Resource<T>,
  models: readonly T[],
  representation: Representation = 'standard',
): Promise<Rendered[]> {
  const items = models.map((model) => ({ model, ancestors: new Set<string>() }))
  return renderItems(registry, view, resource, items, representation)
}

async function renderItems(
  registry: Registry,
  view: View,
  resource: AnyResource,
  items: readonly Item[],
  representation: Representation,
): Promise<Rendered[]> {
  if (items.length === 0) return []
  const included = includedIn(resource, view)
  const names = [...new Set([...resource.representations[representation], ...included])]
  // One list for all attributes, so that they can share what they read.
  const models = items.map(({ model }) => model) as never[]
  const columns = await Promise.all(
    names.map(async (name) => {
      const link = resource.links?.[name]
      if (!link) return { name, values: await readValues(view, resource, models, name) }
      const as = included.has(name) ? 'standard' : 'minimal'
      return { name, links: linksOf(resource, items, await link(view, models), as) }
    }),
  )
  const rendered = await renderLinks(
    registry,
    view,
    columns.flatMap(({ links = [] }) => links.flat()),
  )
  return items.map(({ model }, row) => ({
    '@type': resource.type,
    ...(resource.href ? { '@href': view.href(resource.href(model as never)) } : {}),
    '@representation': representation,
    '@permissions': resource.rights(view.viewer, model as never),
    ...Object.fromEntries(
      columns.map(({ name, values, links }) => [
        name,
        links ? renderedValue(links[row] ?? null, rendered) : (values[row] ?? null),
      ]),
    ),
  }))
}

function includedIn(resource: AnyResource, { include }: View): ReadonlySet<string> {
  const requested = include.get(resource.type) ?? new Set<string>()
  const known = new Set([...attributesOf(resource), '@permissions'])
  for (const name of requested) {
    if (!known.has(name)) throw wrongParams(`"${resource.type}.${name}" cannot be included`)
  }
  return new Set([...requested].filter((name) => !name.startsWith('@')))
}

function readValues(
  view: View,
  { values }: AnyResource,
  models: readonly never[],
  name: string,
): Promise<readonly unknown[]> | readonly unknown[] {
  return values?.[name]?.(view, models) ?? models.map((model) => model[name])
}

/** A linked record, what it is nested in, and how it is shown there. */
interface Link extends Item {
  type: keyof Models
  representation: Representation
}

/** What an attribute of one record links to: nothing, one record or many. */
type Links = Link | readonly Link[] | null

function linksOf(
  resource: AnyResource,
  items: readonly Item[],
  linked: readonly (Linked | readonly Linked[] | null)[],
  representation: Representation,
): Links[] {
  return items.map((item, row) => {
    const ancestors = new Set(item.ancestors)
    const own = resource.href?.(item.model as never)
    if (own !== undefined) ancestors.add(own)
    const linkTo = ({ type, model }: Linked) => ({ type, model, ancestors, representation })
    const each = linked[row] ?? null
    if (each === null) return null
    return 'type' in each ? linkTo(each) : each.map(linkTo)
  })
}

function renderedValue(links: Links, rendered: ReadonlyMap<Link, unknown>): unknown {
  if (links === null) return null
  return 'type' in links ? rendered.get(links) : links.map((link) => rendered.get(link))
}

/** Links of one type and representation are rendered together, whatever attributes they are of. */
async function renderLinks(
  registry: Registry,
  view: View,
  links: readonly (Link | null)[],
): Promise<Map<Link, unknown>> {
  const rendered = new Map<Link, unknown>()
  for (const { type, representation, links: alike } of groupsOf(links)) {
    const resource = registry[type]
    if (!resource) throw new Error(`there is no resource ${type}`)
    const fresh = alike.filter((link) => {
      const href = resource.href?.(link.model as never)
      if (href === undefined || !link.ancestors.has(href)) return true
      // A record that contains this one is not shown inside it again.
      rendered.set(link, { '@href': view.href(href) })
      return false
    })
    const models = await renderItems(registry, view, resource, fresh, representation)
    for (const [index, link] of fresh.entries()) rendered.set(link, models[index])
  }
  return rendered
}

interface Group {
  type: string
  representation: Representation
  links: Link[]
}

function groupsOf(links: readonly (Link | null)[]): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const link of links) {
    if (link === null) continue
    const { type, representation } = link
    const key = `${type} ${representation}`
    const group = groups.get(key) ?? { type, representation, links: [] }
    group.links.push(link)
    groups.set(key, group)
  }
  return groups.values()
}
