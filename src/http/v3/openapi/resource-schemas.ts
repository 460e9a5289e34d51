import {
  anyOf,
  constant,
  listOf,
  nothing,
  objectOf,
  oneOf,
  orNull,
  refTo,
  type Schema,
  text,
  truth,
} from '../../openapi/schema.ts'
import type { Collection } from '../collection.ts'
import { type AnyResource, attributesOf, type Registry, type Representation } from '../resource.ts'
import { usualTypeOf } from './attribute-types.ts'

/** The name of the schema of a resource in one of its representations. */
export function schemaName({ type }: Pick<AnyResource, 'type'>, shown: Representation): string {
  return `${type}.${shown}`
}

/** The schemas of all resources: what each can show, and what each representation always shows. */
export function resourceSchemas(registry: Registry): Record<string, Schema> {
  const named = Object.values(registry).flatMap((resource) => [
    [resource.type, everythingOf(resource)] as const,
    ...representationsOf(resource).map(
      (shown) => [schemaName(resource, shown), schemaOf(registry, resource, shown)] as const,
    ),
  ])
  return Object.fromEntries(named)
}

function representationsOf({ representations }: AnyResource): Representation[] {
  return Object.keys(representations) as Representation[]
}

function everythingOf(resource: AnyResource): Schema {
  const { type, href, permissions, optional = [] } = resource
  const attributes = attributesOf(resource)
  return objectOf(
    {
      '@type': constant(type),
      ...(href ? { '@href': text } : {}),
      '@representation': oneOf(representationsOf(resource)),
      '@permissions': objectOf(Object.fromEntries(permissions.map((name) => [name, truth]))),
      ...Object.fromEntries(attributes.map((name) => [name, attributeOf(resource, name)])),
    },
    [...attributes, ...optional],
  )
}

function attributeOf(resource: AnyResource, name: string): Schema {
  const link = resource.links?.[name]
  if (resource.later?.includes(name)) return nothing
  const own = resource.types?.[name]
  if (own) return own
  if (!link) return usualTypeOf(name) ?? {}
  const found = anyOf(
    ...[link.to].flat().flatMap((type) => [refTo(`${type}.minimal`), refTo(`${type}.standard`)]),
    refTo('reference'),
  )
  // Of attributes that are several records the names are plural.
  return name.endsWith('s') ? orNull(listOf(found)) : orNull(found)
}

function schemaOf(registry: Registry, resource: AnyResource, shown: Representation): Schema {
  const { type, representations, optional = [] } = resource
  const always = (representations[shown] ?? []).filter(
    (name) => !optional.includes(name) && !canBeLeftOut(registry, resource, name),
  )
  return {
    type: 'object',
    allOf: [refTo(type)],
    properties: { '@representation': constant(shown) },
    required: always,
  }
}

/** A record inside of itself is only its path; without one it is left out. */
function canBeLeftOut(registry: Registry, { links }: AnyResource, name: string): boolean {
  return [links?.[name]?.to ?? []].flat().some((type) => registry[type]?.href === undefined)
}

/** A list, whose entries are shown as the caller asks, or as their path if they were shown before. */
export function collectionSchema({ type, of, limit }: Collection): Schema {
  // What a caller gets who does not ask for another one is the first.
  const others = representationsOf(of).filter((shown) => shown !== 'standard')
  const entries = ['standard', ...others] as const
  return objectOf(
    {
      '@type': constant(type),
      '@href': text,
      '@representation': oneOf(entries),
      ...(limit === undefined ? {} : { '@pagination': refTo('pagination') }),
      [type]: listOf(
        anyOf(...entries.map((shown) => refTo(schemaName(of, shown))), refTo('reference')),
      ),
    },
    // Of a list that was changed there is no path, and some are read whole as well as in pages.
    ['@href', '@pagination'],
  )
}
