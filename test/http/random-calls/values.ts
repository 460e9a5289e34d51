// Values for the parameters of calls: those that a schema allows, and others.
import fc from 'fast-check'
import type { JsonSchema } from '../../../src/http/openapi/schema.ts'

/** Texts that look like something else, or like nothing. */
const strangeTexts = [
  ...['', ' ', '0', '-1', '1.5', '1e3', '007', '99999999999999999999', 'true', 'null', '[]', '{}'],
  ...[
    'none',
    'a/b',
    '../..',
    '%',
    '%00',
    '\u0000',
    'a\u0000b',
    '"',
    "'; --",
    '<b>',
    '\u202E',
    '💥',
  ],
  ...['\uD800', 'ä\r\nb', ',', '{', '*', '?', '#', 'a'.repeat(3000), '1,2,3', 'octavia/hello'],
]

export const strangeText = fc.oneof(
  fc.constantFrom(...strangeTexts),
  fc.string({ unit: 'grapheme' }),
)

/** What JSON can say and a schema seldom allows. */
const strangeJson: fc.Arbitrary<unknown> = fc.oneof(
  strangeText,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, 1e300, [], {}, [[]], [null], { a: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
)

const plainText = fc.oneof(
  fc.constantFrom('main', 'hello', 'octavia', 'octavia/hello', 'id', 'name:desc', 'passed', '1'),
  fc.string(),
)

/** One of the usual values, and now and then another one. */
export function mostly<T>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: other })
}

/** Values that mean something, by the names of what holds them. */
export type Names = Readonly<Record<string, readonly unknown[]>>

/** Mostly a value that the schema allows, or one that does but for members of objects. */
export function anyValue(schema: JsonSchema, names: Names): fc.Arbitrary<unknown> {
  return mostly(allowed(schema, names), strangeJson)
}

function allowed(schema: JsonSchema, names: Names): fc.Arbitrary<unknown> {
  const { enum: words, type, pattern, items = {}, minItems = 0 } = schema
  if (Array.isArray(words)) return fc.constantFrom(...(words as unknown[]))
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((each: string) => allowed({ ...schema, type: each }, names)))
  }
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integerFrom(schema)
    case 'array':
      return fc.array(allowed(items as JsonSchema, names), {
        minLength: Number(minItems),
        maxLength: 3,
      })
    case 'object':
      return objectFrom(schema, names)
    case 'string':
      return typeof pattern === 'string' ? fc.stringMatching(new RegExp(pattern)) : plainText
    default:
      return strangeJson
  }
}

/** Mostly a small one. */
function integerFrom({ minimum = 0, maximum = 200 }: JsonSchema): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum), Number(maximum)]
  return mostly(fc.integer({ min, max: Math.min(max, min + 5) }), fc.integer({ min, max }))
}

function objectFrom({ properties, required = [] }: JsonSchema, names: Names): fc.Arbitrary<object> {
  if (properties === undefined) {
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
  }
  const members = Object.entries(properties as Record<string, JsonSchema>)
  const withMembers = (valueOf: typeof allowed) =>
    fc.record(
      Object.fromEntries(
        members.map(([name, schema]) => [name, named(name, valueOf(schema, names), names)]),
      ),
      { requiredKeys: required as string[] },
    )
  return mostly(withMembers(allowed), withMembers(anyValue))
}

/** Mostly what the name means, where that is known. */
export function named(
  name: string,
  other: fc.Arbitrary<unknown>,
  names: Names,
): fc.Arbitrary<unknown> {
  const known = names[name] ?? []
  return known.length === 0 ? other : mostly<unknown>(fc.constantFrom(...known), other)
}
