import type { JsonSchema } from '../../openapi/schema.ts'

/** The meaning of a schema in words: `integer or null`, `list of build`. */
export function wordsFor(schema: JsonSchema): string {
  const { $ref: ref, anyOf, enum: words, const: constant, type, items, format } = schema
  if (typeof ref === 'string') return ref.replace(/^.*\//, '').replace(/\..*$/, '')
  if (Array.isArray(anyOf)) return joined((anyOf as JsonSchema[]).map(wordsFor))
  if (Array.isArray(words)) return joined(words.map(String))
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(type))
    return joined(type.map((each: string) => wordsFor({ ...schema, type: each })))
  if (type === 'array') return `list of ${wordsFor((items ?? {}) as JsonSchema)}`
  if (type === 'string') return format === 'date-time' ? 'time' : 'text'
  return typeof type === 'string' ? type : 'anything'
}

/** Leaves out `reference`: that records shown before are only their path is explained once, elsewhere. */
function joined(words: readonly string[]): string {
  return [...new Set(words)].filter((word) => word !== 'reference').join(' or ')
}
