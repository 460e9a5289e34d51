import { rootType } from '../../buildfile/schema/load.ts'
import type { MapType, Type } from '../../buildfile/value-types/type.ts'

/**
 * Where a key that is in the wrong map is known, in words; undefined where it is known
 * nowhere, or in too many maps for a guess.
 */
export function whereKeyBelongs(key: string, path: readonly string[]): string | undefined {
  if (path.at(-1) === 'deploy' && keysUnder('deploy', 'on').includes(key)) return 'under "on"'
  if (path.length > 0) return keysUnder().includes(key) ? 'at the top of the file' : undefined
  sections ??= sectionsByKey()
  const known = sections.get(key) ?? []
  if (known.length === 0 || known.length > 2) return undefined
  return `under ${known.map((section) => `"${section}"`).join(' or ')}`
}

/**
 * The key of the same map that is the singular or plural of this one, which the reader has not taken for
 * it since it is a key elsewhere. Deployments have other keys for each provider.
 */
export function otherNumberOf(key: string, path: readonly string[]): string | undefined {
  if (path.at(-1) === 'deploy') return undefined
  const keys = keysUnder(...path.filter((name) => !/^\d+$/.test(name)))
  return keys.find((other) => [`${other}s`, `${other}es`].includes(key) || other === `${key}s`)
}

let sections: ReadonlyMap<string, readonly string[]> | undefined

/** The sections of a file, by the keys that they have. */
function sectionsByKey(): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>()
  for (const section of keysUnder()) {
    // The keys of the one are those of many providers, the other's are words of any build: `test`.
    if (section === 'deploy' || section === 'dart_task') continue
    for (const key of keysUnder(section)) byKey.set(key, [...(byKey.get(key) ?? []), section])
  }
  return byKey
}

/** The keys of the map at a path of the normal form. */
function keysUnder(...path: string[]): readonly string[] {
  let type: Type | undefined = rootType()
  for (const key of path) type = type && mapOf(type)?.keys[key]
  return Object.keys((type && mapOf(type)?.keys) ?? {})
}

/** The map that a type is, or the first one among its forms or entries. */
function mapOf(type: Type): MapType | undefined {
  if (type.kind === 'map') return type
  if (type.kind === 'seq') return mapOf(type.of)
  if (type.kind !== 'any') return undefined
  for (const form of type.of) {
    const map = mapOf(form)
    if (map) return map
  }
  return undefined
}
