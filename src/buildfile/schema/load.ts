import type { Fields, MapData, RefData, TypeData } from './data.ts'
import { table } from './table.ts'
import type { MapType, Type } from './values/type.ts'

const named = new Map<string, Type>()

/** The type of a whole build file. Types below it are made at first use. */
export function rootType(): Type {
  return typeNamed('root')
}

function typeNamed(name: string): Type {
  const known = named.get(name)
  if (known) return known
  const type = typeOf(dataNamed(name))
  named.set(name, type)
  return type
}

function dataNamed(name: string): TypeData {
  const json = table[name]
  if (json === undefined) throw new Error(`the schema has no type ${name}`)
  return JSON.parse(json) as TypeData
}

function typeOf(data: TypeData): Type {
  if ('to' in data) return referred(data)
  switch (data.kind) {
    case 'map':
      return mapOf(data)
    case 'seq':
      return lazily({ ...data }, 'of', () => typeOf(withDefaults(data.of, data)))
    case 'any':
      return lazily({ ...data }, 'of', () =>
        data.of.map((form) => typeOf(withDefaults(form, data))),
      )
    default:
      return data
  }
}

function referred({ to, ...fields }: RefData): Type {
  if (Object.keys(fields).length === 0) return typeNamed(to)
  return typeOf({ ...dataNamed(to), ...fields })
}

function mapOf({ others, ...data }: MapData): MapType {
  const keys = Object.create(null) as Record<string, Type>
  for (const [key, type] of Object.entries(data.keys)) lazily(keys, key, () => typeOf(type))
  const map = { ...data, keys }
  return others ? lazily(map, 'others', () => typeOf(others)) : map
}

/** The defaults of a sequence, or of several forms, apply to its entries or forms as well. */
function withDefaults(child: TypeData, { defaults }: Fields): TypeData {
  return defaults ? { defaults, ...child } : child
}

/** Gives a record a member that is made at first use. */
function lazily<T extends object, K extends PropertyKey, V>(record: T, name: K, make: () => V) {
  Object.defineProperty(record, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = make()
      Object.defineProperty(record, name, { value, enumerable: true })
      return value
    },
  })
  return record as T & Record<K, V>
}
