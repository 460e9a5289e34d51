import type { Schema } from './document.ts'

/**
 * A bundle that also refuses unknown keys, for editors that should flag them. Keys that begin with `.`,
 * `_` or `x-` stay allowed: people keep content for YAML aliases there.
 */
export function strictSchema(bundle: Schema): Schema {
  const { $defs = {}, ...root } = part(bundle, bundle)
  return { ...closed(root), patternProperties: { ...root.patternProperties, ...free }, $defs }
}

const free = { '^(?:[._]|x-)': {} }

/** A schema that may be included in a map with more keys: it stays open, but its values are closed. */
function part(schema: Schema, bundle: Schema): Schema {
  const { properties, patternProperties, additionalProperties, items, anyOf, allOf, $defs } = schema
  const value = (each: Schema) => {
    const inner = part(each, bundle)
    return takesAnyKey(each, bundle) ? inner : closed(inner)
  }
  const strict: Schema = {
    ...schema,
    ...(properties && {
      properties: { ...mapped(aliases(properties, bundle), value), ...mapped(properties, value) },
    }),
    ...((properties ?? patternProperties) && {
      patternProperties: {
        ...mapped(patternProperties ?? {}, value),
        ...otherSpellings(properties, bundle),
      },
    }),
    ...(additionalProperties && { additionalProperties: value(additionalProperties) }),
    ...(isFree(schema) && { additionalProperties: {} }),
    ...(items && { items: value(items) }),
    ...(anyOf && { anyOf: anyOf.map((form) => part(form, bundle)) }),
    ...(allOf && { allOf: allOf.map((form) => part(form, bundle)) }),
    ...($defs && { $defs: mapped($defs, (each) => part(each, bundle)) }),
  }
  const short = properties?.[(schema['x-shorthand'] as Shorthand | undefined)?.key ?? '']
  return short ? { anyOf: [strict, part(short, bundle)] } : strict
}

/** A value of another form is taken as the value of this key. */
interface Shorthand {
  key: string
}

/** Refuses keys that no part of the schema knows, in any of its forms and parts. */
function closed(schema: Schema): Schema {
  const isOther = schema.type !== undefined && schema.type !== 'object'
  return isOther ? schema : { ...schema, unevaluatedProperties: false }
}

/** Whether one of its forms has user-defined keys: then any other keys may occur too. */
function takesAnyKey(schema: Schema, bundle: Schema): boolean {
  const { $ref, anyOf = [], additionalProperties } = schema
  if (additionalProperties) return true
  if ($ref !== undefined) return takesAnyKey(target($ref, bundle), bundle)
  return anyOf.some((form) => takesAnyKey(form, bundle))
}

/** Whether the schema accepts any map. */
function isFree({
  $ref,
  anyOf,
  allOf,
  type,
  enum: values,
  const: value,
  ...schema
}: Schema): boolean {
  if ($ref ?? anyOf ?? allOf ?? values ?? value) return false
  if (type !== undefined && type !== 'object') return false
  return !schema.properties && !schema.patternProperties && !schema.additionalProperties
}

/** The schemas of keys under their other names, which the reader also accepts. */
function aliases(
  properties: Readonly<Record<string, Schema>>,
  bundle: Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.values(properties).flatMap((schema) =>
      aliasesOf(schema, bundle).map((name) => [name, schema]),
    ),
  )
}

/**
 * Keys with dashes, or with capitals at the start of words: the reader accepts them too. They are a
 * pattern, because editors suggest names.
 */
function otherSpellings(
  properties: Readonly<Record<string, Schema>> = {},
  bundle: Schema,
): Record<string, Schema> {
  const names = [...Object.keys(properties), ...Object.keys(aliases(properties, bundle))]
  const spellings = names.filter((name) => /^[a-z\d_]+$/.test(name)).map(spellingsOf)
  return spellings.length === 0 ? {} : { [`^(?![a-z\\d_]+$)(?:${spellings.join('|')})$`]: {} }
}

function spellingsOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.replace(/^[a-z]/, (first) => `[${first}${first.toUpperCase()}]`))
    .join('(?:[-_]|(?=[A-Z]))')
}

/** `followed` lists the references followed so far: a list may be a list of lists. */
function aliasesOf(schema: Schema, bundle: Schema, followed: readonly string[] = []): string[] {
  const { $ref, anyOf = [], allOf = [], items } = schema
  const forms = [...anyOf, ...allOf, ...(items ? [items] : [])]
  // Values have other names too, which are not keys.
  const own = schema.const === undefined ? ((schema['x-aliases'] ?? []) as readonly string[]) : []
  const inner = forms.flatMap((form) => aliasesOf(form, bundle, followed))
  if ($ref === undefined || followed.includes($ref)) return [...own, ...inner]
  return [...own, ...inner, ...aliasesOf(target($ref, bundle), bundle, [...followed, $ref])]
}

/** The target of a reference within the bundle. */
function target(reference: string, bundle: Schema): Schema {
  const names = reference.slice('#/'.length).split('/')
  return names.reduce<unknown>(
    (at, name) => (at as Record<string, unknown>)[name],
    bundle,
  ) as Schema
}

function mapped(
  schemas: Readonly<Record<string, Schema>>,
  change: (schema: Schema) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, change(each)]))
}
