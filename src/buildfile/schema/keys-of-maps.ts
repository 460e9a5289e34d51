import type { MapData, RefData, TypeData } from './data.ts'

type Types = ReadonlyMap<string, TypeData>

/** A type whose maps list the keys that come first, expand, or have other names. */
export function withKeysOfMaps(data: TypeData, types: Types): TypeData {
  if ('to' in data) return data
  const below = (child: TypeData) => withKeysOfMaps(child, types)
  switch (data.kind) {
    case 'map': {
      const { keys, others } = data
      const named = Object.entries(keys).map(([key, type]) => [key, below(type)])
      const all = { ...data, keys: Object.fromEntries(named) as MapData['keys'] }
      return { ...all, ...(others && { others: below(others) }), ...namesIn(data, types) }
    }
    case 'seq':
      return { ...data, of: below(data.of) }
    case 'any':
      return { ...data, of: data.of.map(below) }
    default:
      return data
  }
}

function namesIn({ keys, required = [] }: MapData, types: Types) {
  const all = Object.entries(keys)
  const first = all.flatMap(([key, type]) =>
    resolved(type, types).defaults && !required.includes(key) ? [key] : [],
  )
  const expanding = all.flatMap(([key, type]) => (resolved(type, types).expands ? [key] : []))
  const other = all.flatMap(([key, type]) =>
    aliasesIn(type, types).map((alias) => [alias, key] as const),
  )
  return {
    ...(first.length > 0 && { firstKeys: [...required, ...first] }),
    ...(expanding.length > 0 && { matrixKeys: expanding }),
    ...(other.length > 0 && { otherNames: Object.fromEntries(other) }),
  }
}

/** Forms and entries may have aliases of the key that holds them. */
function aliasesIn(data: TypeData, types: Types): readonly string[] {
  const type = resolved(data, types)
  const { aliases = [] } = type
  if (type.kind === 'seq') return [...aliases, ...aliasesIn(type.of, types)]
  if (type.kind === 'any') return [...aliases, ...type.of.flatMap((form) => aliasesIn(form, types))]
  return aliases
}

/** Resolves a reference; its own fields override the fields of its type. */
function resolved(data: TypeData, types: Types): Exclude<TypeData, RefData> {
  if (!('to' in data)) return data
  const { to, ...fields } = data
  const type = types.get(to)
  if (!type) throw new Error(`the schema has no type ${to}`)
  return { ...resolved(type, types), ...fields }
}
