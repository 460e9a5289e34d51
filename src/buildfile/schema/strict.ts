import type { Schema } from './document.ts'

/**
 * A bundle that also refuses keys that are not known, for editors that are to flag them. Keys that
 * begin with `.`, `_` or `x-` stay free: that is where people keep what aliases repeat.
 */
export function strictSchema(bundle: Schema): Schema {
  const { $defs = {}, ...root } = part(bundle, bundle)
  return { ...closed(root), patternProperties: { ...root.patternProperties, ...free }, $defs }
}

const free = { '^(?:[._]|x-)': {} }

/** What may be included in a map with further keys: it stays open, and what it holds is closed. */
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

/** A map that is not of this form stands for the value of this key. */
interface Shorthand {
  key: string
}

/** Keys that no part of the schema knows are refused, whichever forms and parts it has. */
function closed(schema: Schema): Schema {
  const isOther = schema.type !== undefined && schema.type !== 'object'
  return isOther ? schema : { ...schema, unevaluatedProperties: false }
}

/** Whether one of its forms has names of users as keys: then others may stand among them. */
function takesAnyKey(schema: Schema, bundle: Schema): boolean {
  const { $ref, anyOf = [], additionalProperties } = schema
  if (additionalProperties) return true
  if ($ref !== undefined) return takesAnyKey(target($ref, bundle), bundle)
  return anyOf.some((form) => takesAnyKey(form, bundle))
}

/** Whether it takes any map. */
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

/** The other names of keys, which the reader knows as well, and what each stands for. */
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
 * Keys with dashes, or capital letters at the start of words: the reader knows them as well. They are
 * a pattern, since editors offer names.
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

/** `followed` are the references that led here: a list may be one of lists. */
function aliasesOf(schema: Schema, bundle: Schema, followed: readonly string[] = []): string[] {
  const { $ref, anyOf = [], allOf = [], items } = schema
  const forms = [...anyOf, ...allOf, ...(items ? [items] : [])]
  // Values have other names too, which are no keys.
  const own = schema.const === undefined ? ((schema['x-aliases'] ?? []) as readonly string[]) : []
  const inner = forms.flatMap((form) => aliasesOf(form, bundle, followed))
  if ($ref === undefined || followed.includes($ref)) return [...own, ...inner]
  return [...own, ...inner, ...aliasesOf(target($ref, bundle), bundle, [...followed, $ref])]
}

/** What a reference within the bundle leads to. */
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
