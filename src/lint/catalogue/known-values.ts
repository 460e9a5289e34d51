import { rootType } from '../../buildfile/schema/load.ts'
import type { Type } from '../../buildfile/value-types/type.ts'
import { nearest } from '../nearest.ts'

/** More are not worth listing in a sentence. */
const most = 14

/** Paths that are kept. Some have names of users in them, so there is no end of them. */
const mostPaths = 1000

const byPath = new Map<string, readonly string[] | undefined>()

/** The values that a key takes, where they are few; undefined where it takes others as well. */
export function fewValues(path: readonly string[]): readonly string[] | undefined {
  const values = knownValues(path)
  return values && values.length <= most ? values : undefined
}

/** The value of a key that looks most like this one, if one does at all. */
export function nearestValue(path: readonly string[], value: string): string | undefined {
  return nearest(value, knownValues(path) ?? [], 2)
}

/** The values that a key takes; undefined where it takes others as well. */
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
