import type { JsonSchema } from './schema.ts'

type Schemas = Readonly<Record<string, JsonSchema>>

/** Typical values of members whose schemas would lead to a poor example. */
const likely: Readonly<Record<string, unknown>> = {
  '@href': '/…',
  uri_template: '/repo/{repository.id}{?include}',
  name: 'hello',
  login: 'octavia',
  slug: 'octavia/hello',
  owner_name: 'octavia',
  number: '12',
  limit: 25,
  offset: 0,
  sha: '0123456789abcdef0123456789abcdef01234567',
}

/** A value that matches a schema, with only the required members. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, name = ''): unknown {
  const { $ref: ref, const: constant, enum: words, anyOf } = schema
  if (typeof ref === 'string') return exampleOf(named(ref, schemas), schemas, name)
  if (constant !== undefined) return constant
  if (isList(words)) return words[0]
  if (isList(anyOf)) return exampleOf(anyOf[0] as JsonSchema, schemas, name)
  const type = typeOf(schema)
  if (type === 'object') return membersOf(schema, schemas)
  if (type === 'array') return [exampleOf(schema.items as JsonSchema, schemas)]
  const known = likely[name]
  if (typeof known === (type === 'integer' ? 'number' : type)) return known
  return type === undefined ? null : (simple(schema)[type] ?? null)
}

/** The first of several types. */
function typeOf({ type }: JsonSchema): string | undefined {
  return isList(type) ? String(type[0]) : (type as string | undefined)
}

function membersOf(schema: JsonSchema, schemas: Schemas): Record<string, unknown> {
  const parts = partsOf(schema, schemas)
  const properties: Schemas = Object.assign({}, ...parts.map((part) => part.properties ?? {}))
  const names = parts.flatMap(({ required }) => (isList(required) ? required.map(String) : []))
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, exampleOf(properties[name] ?? {}, schemas, name)]),
  )
}

/** The schemas that a schema extends, followed by the schema itself. */
function partsOf(schema: JsonSchema, schemas: Schemas): JsonSchema[] {
  const extended = isList(schema.allOf) ? (schema.allOf as JsonSchema[]) : []
  return [...extended.map(({ $ref: ref }) => named(String(ref), schemas)), schema]
}

function named(ref: string, schemas: Schemas): JsonSchema {
  const schema = schemas[ref.slice(ref.lastIndexOf('/') + 1)]
  if (!schema) throw new Error(`there is no schema ${ref}`)
  return schema
}

function simple({ format }: JsonSchema): Readonly<Record<string, unknown>> {
  return {
    string: format === 'date-time' ? '2026-01-02T12:00:00Z' : '…',
    integer: 1,
    boolean: true,
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
