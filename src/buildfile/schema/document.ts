import type { EnumValue, Kind } from './values/type.ts'

/** The schema's files by their path below `schemas/`; `service-yml.json` is the root. */
export type SchemaFiles = ReadonlyMap<string, Schema>

export const rootFile = 'service-yml.json'

/** A JSON Schema, limited to the keywords we use. `schemas/README.md` explains the `x-` keywords. */
export interface Schema {
  $id?: string
  $ref?: string
  $defs?: Readonly<Record<string, Schema>>
  title?: string
  description?: string
  examples?: readonly unknown[]
  type?: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema
  unevaluatedProperties?: false
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  not?: Schema
  const?: EnumValue['value']
  enum?: readonly EnumValue['value'][]
  pattern?: string
  default?: EnumValue['value'] | null
  deprecated?: boolean
  'x-kind'?: Kind
  'x-form'?: 'written' | 'kept'
  'x-single'?: boolean
  'x-flags'?: readonly string[]
  [keyword: `x-${string}`]: unknown
}

/** Our own keywords, for validators that must know all keywords. */
export const vocabulary = [
  'x-aliases',
  'x-cache-shorthand',
  'x-defaults',
  'x-deprecated',
  'x-detect-by',
  'x-enable',
  'x-env-strings',
  'x-except',
  'x-expands',
  'x-flags',
  'x-form',
  'x-ignore-case',
  'x-inherit',
  'x-kind',
  'x-lowercase',
  'x-only',
  'x-preferred',
  'x-shorthand',
  'x-single',
  'x-strict',
  'x-vars',
] as const

/** The target of a reference: the file, the name of the definition if there is one, the schema. */
export interface Target {
  file: string
  name: string | undefined
  schema: Schema
}

/** References are `<file>`, `<file>#/$defs/<name>` or `#/$defs/<name>`; a file is relative. */
export function follow(files: SchemaFiles, from: string, reference: string): Target {
  const { pathname, hash } = new URL(reference, `schema:/${from}`)
  const file = pathname.slice(1)
  const name = /^#\/\$defs\/(.+)$/.exec(hash)?.[1]
  const document = files.get(file)
  const schema = name === undefined ? document : document?.$defs?.[name]
  if (!schema) throw new Error(`${from} refers to ${reference}, which does not exist`)
  return { file, name, schema }
}
