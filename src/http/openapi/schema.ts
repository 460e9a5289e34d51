/** The schema of a value in OpenAPI 3.1 (JSON Schema 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

export const integer: JsonSchema = { type: 'integer' }
export const text: JsonSchema = { type: 'string' }
export const truth: JsonSchema = { type: 'boolean' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const nothing: JsonSchema = { type: 'null' }
/** An object with members that are not described. */
export const anyObject: JsonSchema = { type: 'object' }

export const constant = (value: string): JsonSchema => ({ const: value })

export const oneOf = (words: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: [...words],
})

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

export const anyOf = (...schemas: readonly JsonSchema[]): JsonSchema => ({ anyOf: [...schemas] })

export function orNull(schema: JsonSchema): JsonSchema {
  const isPlain = typeof schema.type === 'string' && schema.enum === undefined
  return isPlain ? { ...schema, type: [schema.type, 'null'] } : anyOf(schema, nothing)
}

export const textOrNull = orNull(text)
export const integerOrNull = orNull(integer)
export const timeOrNull = orNull(time)

/** An object with these members; all members except the optional ones are always present. */
export function objectOf(
  members: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(members).filter((name) => !optional.includes(name))
  return { type: 'object', properties: { ...members }, required }
}

/** The schema of this name among the components of the document. */
export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
