import type { Schema } from '../../openapi/schema.ts'

/** What a schema means, in words: `integer or null`, `list of build`. */
export function wordsFor(schema: Schema): string {
  const { $ref: ref, anyOf, enum: words, const: constant, type, items, format } = schema
  if (typeof ref === 'string') return ref.replace(/^.*\//, '').replace(/\..*$/, '')
  if (Array.isArray(anyOf)) return joined((anyOf as Schema[]).map(wordsFor))
  if (Array.isArray(words)) return joined(words.map(String))
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(type))
    return joined(type.map((each: string) => wordsFor({ ...schema, type: each })))
  if (type === 'array') return `list of ${wordsFor((items ?? {}) as Schema)}`
  if (type === 'string') return format === 'date-time' ? 'time' : 'text'
  return typeof type === 'string' ? type : 'anything'
}

/** A record that was shown before is its path alone: that is said once, and not of each attribute. */
function joined(words: readonly string[]): string {
  return [...new Set(words)].filter((word) => word !== 'reference').join(' or ')
}
