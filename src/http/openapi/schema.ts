/** What a value can be, as documents of OpenAPI 3.1 say it (JSON Schema 2020-12). */
export type Schema = Readonly<Record<string, unknown>>

export const integer: Schema = { type: 'integer' }
export const text: Schema = { type: 'string' }
export const truth: Schema = { type: 'boolean' }
export const time: Schema = { type: 'string', format: 'date-time' }
export const nothing: Schema = { type: 'null' }
/** An object with members that are not described. */
export const anyObject: Schema = { type: 'object' }

export const constant = (value: string): Schema => ({ const: value })

export const oneOf = (words: readonly string[]): Schema => ({ type: 'string', enum: [...words] })

export const listOf = (items: Schema): Schema => ({ type: 'array', items })

export const anyOf = (...schemas: readonly Schema[]): Schema => ({ anyOf: [...schemas] })

export function orNull(schema: Schema): Schema {
  const isPlain = typeof schema.type === 'string' && schema.enum === undefined
  return isPlain ? { ...schema, type: [schema.type, 'null'] } : anyOf(schema, nothing)
}

/** An object with these members; all but the optional ones are always there. */
export function objectOf(
  members: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const required = Object.keys(members).filter((name) => !optional.includes(name))
  return { type: 'object', properties: { ...members }, required }
}

/** The schema of this name among the components of the document. */
export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
