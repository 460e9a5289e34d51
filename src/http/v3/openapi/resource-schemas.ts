import {
  anyOf,
  constant,
  listOf,
  objectOf,
  oneOf,
  orNull,
  refTo,
  type JsonSchema,
  text,
  truth,
} from '../../openapi/schema.ts'
import type { Collection } from '../core/collection.ts'
import {
  type AnyResource,
  attributesOf,
  type Registry,
  type Representation,
} from '../core/resource.ts'
import { usualTypeOf } from './attribute-types.ts'

/** The name of the schema of a resource in one of its representations. */
export function schemaName({ type }: Pick<AnyResource, 'type'>, shown: Representation): string {
  return `${type}.${shown}`
}

/** The schemas of all resources: all attributes of each, and those that each representation always has. */
export function resourceSchemas(registry: Registry): Record<string, JsonSchema> {
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

function everythingOf(resource: AnyResource): JsonSchema {
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

function attributeOf(resource: AnyResource, name: string): JsonSchema {
  const link = resource.links?.[name]
  const own = resource.types?.[name]
  if (own) return own
  if (!link) return usualTypeOf(name) ?? {}
  const found = anyOf(
    ...[link.to].flat().flatMap((type) => [refTo(`${type}.minimal`), refTo(`${type}.standard`)]),
    refTo('reference'),
  )
  // Attributes with several records have plural names.
  return name.endsWith('s') ? orNull(listOf(found)) : orNull(found)
}

function schemaOf(registry: Registry, resource: AnyResource, shown: Representation): JsonSchema {
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

/** Whether an attribute can be missing: a record inside itself is only its path, or left out without one. */
function canBeLeftOut(registry: Registry, { links }: AnyResource, name: string): boolean {
  return [links?.[name]?.to ?? []].flat().some((type) => registry[type]?.href === undefined)
}

/** A list, whose entries are shown as the caller requests, or as their path if they were shown before. */
export function collectionSchema({ type, of, limit }: Collection): JsonSchema {
  // The first representation is the default.
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
    // Changed lists have no path, and some lists are read either whole or in pages.
    ['@href', '@pagination'],
  )
}
