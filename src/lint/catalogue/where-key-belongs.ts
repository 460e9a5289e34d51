import { rootType } from '../../buildfile/schema/load.ts'
import type { MapType, Type } from '../../buildfile/schema/values/type.ts'

/** Where a misplaced key belongs, in words; undefined if no map has the key, or too many for a guess. */
export function whereKeyBelongs(key: string, path: readonly string[]): string | undefined {
  if (path.at(-1) === 'deploy' && keysUnder('deploy', 'on').includes(key)) return 'under "on"'
  if (path.length > 0) return keysUnder().includes(key) ? 'at the top of the file' : undefined
  sections ??= sectionsByKey()
  const known = sections.get(key) ?? []
  if (known.length === 0 || known.length > 2) return undefined
  return `under ${known.map((section) => `"${section}"`).join(' or ')}`
}

/**
 * The key of the same map that is the singular or plural of this one. The reader does not correct this
 * key because it is known elsewhere. Deployments have other keys for each provider.
 */
export function otherNumberOf(key: string, path: readonly string[]): string | undefined {
  if (path.at(-1) === 'deploy') return undefined
  const keys = keysUnder(...path.filter((name) => !/^\d+$/.test(name)))
  return keys.find((other) => [`${other}s`, `${other}es`].includes(key) || other === `${key}s`)
}

/** Whether the map at a path of the normal form has this key. */
export function isKeyUnder(path: readonly string[], key: string): boolean {
  return keysUnder(...path).includes(key)
}

let sections: ReadonlyMap<string, readonly string[]> | undefined

/** The sections of a file, by the keys that they have. */
function sectionsByKey(): ReadonlyMap<string, readonly string[]> {
  const byKey = new Map<string, string[]>()
  for (const section of keysUnder()) {
    // The keys of `deploy` are those of many providers; those of `dart_task` are common words: `test`.
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

/** The type itself if it is a map, or the first map among its forms or entries. */
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
