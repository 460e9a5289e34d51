import type { MapData, TypeData } from './data.ts'
import { follow, rootFile } from './document.ts'
import type { Schema, SchemaFiles, Target } from './document.ts'
import { fieldsOf, narrowed } from './fields.ts'

interface Derivation {
  files: SchemaFiles
  /** All definitions derived so far. */
  known: Map<string, TypeData>
  /** The known definitions that others refer to. */
  types: Map<string, TypeData>
}

/** The types that the schema describes, by name; `root` is the type of the whole file. */
export function deriveTypes(files: SchemaFiles): ReadonlyMap<string, TypeData> {
  const root = files.get(rootFile)
  if (!root) throw new Error(`there is no ${rootFile} among the schema's files`)
  const to: Derivation = { files, known: new Map(), types: new Map() }
  return new Map([['root', derive(to, root, rootFile)], ...to.types])
}

function derive(to: Derivation, schema: Schema, file: string): TypeData {
  if (schema.type === 'object') return mapOf(to, schema, file)
  if (schema.type === 'array') {
    return { kind: 'seq', of: derive(to, schema.items ?? {}, file), ...fieldsOf(schema) }
  }
  if (schema.$ref) return referred(to, schema, follow(to.files, file, schema.$ref))
  const kind = schema['x-kind']
  if (kind === 'secure') return { kind, strict: false, ...fieldsOf(schema) }
  if (kind === 'str' || kind === 'num' || kind === 'bool') return { kind, ...fieldsOf(schema) }
  return oneOf(to, schema, file)
}

/** Scalars are small enough to be repeated; other types are referred to by name. */
function referred(to: Derivation, schema: Schema, target: Target): TypeData {
  const data = definition(to, target)
  if (isScalar(data)) return { ...data, ...fieldsOf(schema), ...narrowed(schema) }
  to.types.set(nameOf(target), data)
  return { to: nameOf(target), ...fieldsOf(schema) }
}

function definition(to: Derivation, target: Target): TypeData {
  const name = nameOf(target)
  const data = to.known.get(name) ?? derive(to, target.schema, target.file)
  to.known.set(name, data)
  return data
}

function nameOf({ file, name }: Target): string {
  return [file.replace(/^parts\//, '').replace(/\.json$/, ''), ...(name ? [name] : [])].join('/')
}

function isScalar(data: TypeData): boolean {
  return 'kind' in data && ['str', 'num', 'bool', 'secure'].includes(data.kind)
}

function oneOf(to: Derivation, schema: Schema, file: string): TypeData {
  const forms = (schema.anyOf ?? []).filter((form) => !isOutside(to, form, file))
  const of = forms.map((form) => derive(to, form, file))
  const [form] = of
  if (!form) throw new Error(`in ${file} something is of no type: ${JSON.stringify(schema)}`)
  if (of.length === 1 && schema['x-kind'] !== 'any') return { ...form, ...fieldsOf(schema) }
  return { kind: 'any', of, ...fieldsOf(schema) }
}

/** Whether a form belongs to no type, though the reader understands or keeps it. */
function isOutside({ files }: Derivation, form: Schema, file: string): boolean {
  return 'x-form' in form || (!!form.$ref && 'x-form' in follow(files, file, form.$ref).schema)
}

function mapOf(to: Derivation, schema: Schema, file: string): MapData {
  const { properties = {}, patternProperties = {}, $ref, allOf = [] } = schema
  const own = Object.entries(properties).map(
    ([key, type]) => [key, derive(to, type, file)] as const,
  )
  const bases = [...($ref ? [{ $ref }] : []), ...allOf].map((base) => baseOf(to, base, file))
  const required = [schema, ...bases].flatMap(({ required = [] }) => required)
  const [pattern] = Object.entries(patternProperties)
  const others = pattern?.[1] ?? schema.additionalProperties
  return {
    ...bases.reduce((all, base) => ({ ...all, ...base }), { kind: 'map', keys: {}, strict: false }),
    ...fieldsOf(schema),
    keys: firstOfEach([...own, ...bases.flatMap(({ keys }) => Object.entries(keys))]),
    ...(required.length > 0 ? { required } : {}),
    ...(others ? { others: derive(to, others, file) } : {}),
    ...(pattern ? { othersPattern: pattern[0] } : {}),
  }
}

/** Own keys come before the keys of base maps, and override them. */
function firstOfEach(keys: readonly (readonly [string, TypeData])[]): Record<string, TypeData> {
  const first = new Map<string, TypeData>()
  for (const [key, type] of keys) if (!first.has(key)) first.set(key, type)
  return Object.fromEntries(first)
}

function baseOf(to: Derivation, base: Schema, file: string): MapData {
  const target = base.$ref ? follow(to.files, file, base.$ref) : undefined
  const map = target ? definition(to, target) : derive(to, base, file)
  if (!('kind' in map) || map.kind !== 'map')
    throw new Error(`${file}: only a map can be based on another map`)
  if (!base['x-single']) return map
  const { properties = {} } = target?.schema ?? base
  const keys = Object.entries(map.keys).map(([key, type]) => [
    key,
    properties[key]?.['x-single'] === false ? { ...type, expands: false } : single(to, type),
  ])
  return { ...map, keys: Object.fromEntries(keys) }
}

/** The type of one value, for a matrix key in a single job. */
function single(to: Derivation, type: TypeData): TypeData {
  if (!type.expands) return type
  const many = 'to' in type ? to.known.get(type.to) : type
  const forms = many && 'of' in many && many.kind === 'any' ? many.of : []
  const one = forms.find((form) => !('kind' in form) || form.kind !== 'seq')
  if (!one) throw new Error(`a matrix key has no form for one value: ${JSON.stringify(type)}`)
  const { only, except, aliases } = type
  return { ...one, ...(only && { only }), ...(except && { except }), ...(aliases && { aliases }) }
}
