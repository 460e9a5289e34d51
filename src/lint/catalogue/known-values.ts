import { rootType } from '../../buildfile/schema/load.ts'
import type { Type } from '../../buildfile/schema/values/type.ts'
import { nearest } from '../nearest.ts'

/** Longer lists of values are not shown in a message. */
const most = 14

/** Maximum paths in the cache: paths can contain names that users chose, so their number is unlimited. */
const mostPaths = 1000

const byPath = new Map<string, readonly string[] | undefined>()

/** The values of a key, if they are few; undefined if the key also accepts other values. */
export function fewValues(path: readonly string[]): readonly string[] | undefined {
  const values = knownValues(path)
  return values && values.length <= most ? values : undefined
}

/** The known value of a key that most resembles this one, if any does. */
export function nearestValue(path: readonly string[], value: string): string | undefined {
  return nearest(value, knownValues(path) ?? [], 2)
}

/** The values of a key; undefined if the key also accepts other values. */
function knownValues(path: readonly string[]): readonly string[] | undefined {
  const name = path.join('\n')
  if (byPath.has(name)) return byPath.get(name)
  if (byPath.size >= mostPaths) byPath.clear()
  const values = valuesUnder(path)
  byPath.set(name, values)
  return values
}

function valuesUnder(path: readonly string[]): readonly string[] | undefined {
  let types: readonly Type[] = [rootType()]
  for (const key of path) types = types.flatMap(insideOf).flatMap((type) => typesUnder(type, key))
  const values = types.flatMap(insideOf).map(valuesOf)
  const known = [...new Set(values.flatMap((list) => list ?? []))]
  return values.includes(undefined) ? undefined : known
}

/** The forms and entries of a type, which share its path. */
function insideOf(type: Type): readonly Type[] {
  if (type.kind === 'seq') return insideOf(type.of)
  return type.kind === 'any' ? type.of.flatMap(insideOf) : [type]
}

function typesUnder(type: Type, key: string): readonly Type[] {
  if (type.kind !== 'map') return []
  const inner = type.keys[key] ?? type.others
  return inner ? [inner] : []
}

function valuesOf(type: Type): readonly string[] | undefined {
  if (type.kind !== 'str' || !type.values) return undefined
  return type.values
    .filter(({ internal, deprecated }) => !internal && deprecated === undefined)
    .map(({ value }) => String(value))
}
