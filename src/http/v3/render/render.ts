import { charactersIn } from '../../../domain/text/shortened.ts'
import {
  absent,
  type AnyResource,
  type Link,
  type Linked,
  type Models,
  type Registry,
  type Representation,
  type Resource,
  type View,
} from '../core/resource.ts'
import { noteIncluded } from '../core/warnings.ts'
import { type Shape, shownIn, inside, nestings, type Nesting } from './included.ts'
import { settled } from './maybe-await.ts'
import { takeCharacters, takeRecords } from './response-budget.ts'

type Rendered = Record<string, unknown>

interface Item {
  model: object
  nesting: Nesting
  /** Whether it is one of many linked records, for which room was taken when they were found. */
  isOfMany: boolean
}

/** Values that are the same for the whole document. */
interface Document {
  registry: Registry
  view: View
  isShown: ReturnType<typeof nestings>['isShown']
}

/**
 * Renders records of one resource as V3 shows them. Linked records are read and rendered once for the
 * whole list, level by level, and shown `minimal`, or `standard` if `include` names them. A record
 * inside itself is only its path, and so is an entry of the list inside a later entry.
 */
export async function render<T extends object>(
  registry: Registry,
  view: View,
  resource: Resource<T>,
  models: readonly T[],
  shape: Shape = { representation: 'standard' },
): Promise<Rendered[]> {
  takeRecords(view.call, models.length)
  const { isShown } = nestings(resource, models)
  const items = models.map((model, entry) => ({
    model,
    nesting: { within: new Set<string>(), entry },
    isOfMany: true,
  }))
  const rendered = await renderOrRefer({ registry, view, isShown }, resource, items, shape)
  return rendered.filter((each) => each !== undefined)
}

/** Renders items that are not shown elsewhere. The others are their path, or undefined without a path. */
async function renderOrRefer(
  document: Document,
  resource: AnyResource,
  items: readonly Item[],
  shape: Shape,
): Promise<(Rendered | undefined)[]> {
  const isFresh = items.map(({ model, nesting }) => !document.isShown(resource, model, nesting))
  const fresh = items.filter((_item, index) => isFresh[index])
  const rendered = (await renderItems(document, resource, fresh, shape)).values()
  return items.map(({ model }, index) =>
    isFresh[index] ? rendered.next().value : hrefOf(document, resource, model),
  )
}

function hrefOf({ view }: Document, resource: AnyResource, model: object): Rendered | undefined {
  const path = resource.href?.(model as never)
  return path === undefined ? undefined : { '@href': view.href(path) }
}

async function renderItems(
  document: Document,
  resource: AnyResource,
  items: readonly Item[],
  shape: Shape,
): Promise<Rendered[]> {
  if (items.length === 0) return []
  const { view } = document
  takeRecords(view.call, items.filter(({ isOfMany }) => !isOfMany).length)
  if (view.include.has(resource.type)) noteIncluded(view.call, resource.type)
  const models = items.map(({ model }) => model) as never[]
  const nestings = items.map(({ model, nesting }) => inside(resource, model, nesting))
  const reads: (Promise<Column> | Column)[] = []
  for (const [name, as] of shownIn(resource, shape, view.include)) {
    reads.push(begun(() => readColumn(view, resource, { name, as }, { models, nestings })))
  }
  const columns = await settled(reads)
  const rendered = await renderLinks(document, linksIn(columns))
  return items.map(({ model }, row) => {
    let characters = 0
    const shown: Rendered = {
      '@type': resource.type,
      ...hrefOf(document, resource, model),
      '@representation': shape.representation,
      '@permissions': resource.rights(view.viewer, model as never),
    }
    for (const column of columns) {
      const value = column.links
        ? column.show(linkedValue(column.links[row] ?? null, rendered), model)
        : (column.values[row] ?? null)
      if (!column.links) characters += charactersIn(value)
      if (value !== undefined && value !== absent) shown[column.name] = value
    }
    takeCharacters(view.call, characters)
    return shown
  })
}

/** Turns a synchronous error into a rejection, so that rejections of other reads are still handled. */
function begun(read: () => Promise<Column> | Column): Promise<Column> | Column {
  try {
    return read()
  } catch (error) {
    return Promise.reject(error)
  }
}

type Column = { name: string } & (
  | { values: readonly unknown[]; links?: undefined }
  | { links: readonly LinkedItems[]; show(value: unknown, model: object): unknown }
)

function linksIn(columns: readonly Column[]): LinkedItem[] {
  const all: LinkedItem[] = []
  for (const { links = [] } of columns) {
    for (const each of links) {
      if (each !== null) all.push(...(isMany(each) ? each : [each]))
    }
  }
  return all
}

/** Values of one attribute; returned without a promise if nothing needs to be read. */
function readColumn(
  view: View,
  resource: AnyResource,
  { name, as }: { name: string; as: 'minimal' | 'standard' },
  { models, nestings }: { models: readonly never[]; nestings: readonly Nesting[] },
): Promise<Column> | Column {
  const link = resource.links?.[name]
  if (!link) {
    const values = readValues(view, resource, models, name)
    return values instanceof Promise
      ? values.then((values) => ({ name, values }))
      : { name, values }
  }
  const columnOf = (found: readonly (object | readonly object[] | null)[]): Column => {
    takeRecords(view.call, countOfMany(found))
    return { name, links: linksOf(link, found, nestings, as), show: listShower(view, link, as) }
  }
  const found = link.read(view, models)
  return found instanceof Promise ? found.then(columnOf) : columnOf(found)
}

function readValues(
  view: View,
  { values }: AnyResource,
  models: readonly never[],
  name: string,
): Promise<readonly unknown[]> | readonly unknown[] {
  return values?.[name]?.(view, models) ?? models.map((model) => model[name])
}

/** A linked record, its position, and its representation there. */
interface LinkedItem extends Item {
  type: keyof Models
  representation: Representation
}

/** The targets of one record's attribute: nothing, one record or many. */
type LinkedItems = LinkedItem | readonly LinkedItem[] | null

function linksOf(
  { to }: Link<never>,
  found: readonly (object | readonly object[] | null)[],
  nestings: readonly Nesting[],
  representation: Representation,
): LinkedItems[] {
  return nestings.map((nesting, row) => {
    const each = found[row] ?? null
    if (each === null) return null
    const isOfMany = isMany(each)
    if (typeof to !== 'string') return { ...(each as Linked), nesting, representation, isOfMany }
    const itemOf = (model: object) => ({ type: to, model, nesting, representation, isOfMany })
    return isMany(each) ? each.map(itemOf) : itemOf(each)
  })
}

/** Number of linked records from attributes that can be many: only these multiply. */
function countOfMany(found: readonly (object | readonly object[] | null)[]): number {
  let count = 0
  for (const each of found) if (each !== null && isMany(each)) count += each.length
  return count
}

const isMany = (value: object): value is readonly object[] => Array.isArray(value)

/** The rendered records; undefined for a record left out because it is shown around here and has no path. */
function linkedValue(links: LinkedItems, rendered: ReadonlyMap<LinkedItem, Rendered>): unknown {
  if (links === null) return null
  return isMany(links) ? links.flatMap((link) => rendered.get(link) ?? []) : rendered.get(links)
}

/** Wraps an attribute's linked records in a list, if the link is one. */
function listShower(view: View, link: Link<never>, representation: Representation) {
  const list = 'list' in link ? link.list : undefined
  return (value: unknown, model: object): unknown =>
    list === undefined || value === null
      ? value
      : {
          '@type': list.type,
          '@href': view.href(list.href(model as never)),
          '@representation': representation,
          [list.type]: value,
        }
}

/** Renders links; links of one type and representation are rendered together, across attributes. */
async function renderLinks(
  document: Document,
  links: readonly LinkedItem[],
): Promise<Map<LinkedItem, Rendered>> {
  const rendered = new Map<LinkedItem, Rendered>()
  if (links.length === 0) return rendered
  await Promise.all(
    groupsOf(document, links).map(async ({ resource, shape, links: alike }) => {
      const shown = await renderOrRefer(document, resource, alike, shape)
      for (const [index, link] of alike.entries()) {
        const value = shown[index]
        if (value) rendered.set(link, value)
      }
    }),
  )
  return rendered
}

interface Group {
  resource: AnyResource
  shape: Shape
  links: LinkedItem[]
}

function groupsOf({ registry, view }: Document, links: readonly LinkedItem[]): Group[] {
  const groups = new Map<string, Group>()
  for (const link of links) {
    const resource = registry[link.type]
    if (!resource) throw new Error(`there is no resource ${link.type}`)
    const shape = shapeOf(view, resource, link)
    const key = `${link.type} ${shape.representation} ${shape.bare ?? ''}`
    const group = groups.get(key) ?? { resource, shape, links: [] }
    group.links.push(link)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** A linked record that the viewer cannot read is only named, such as the owner of a repository. */
function shapeOf(
  { viewer, include }: View,
  { rights }: AnyResource,
  { model, representation }: LinkedItem,
): Shape {
  const isPlain = representation === 'minimal' && include.size === 0
  if (isPlain || rights(viewer, model as never).read) return { representation }
  return { representation: 'minimal', bare: true }
}
