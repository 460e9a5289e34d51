import { rootType } from '../../buildfile/schema/load.ts'
import type { MapType, Type } from '../../buildfile/type.ts'

/**
 * Where a key that stands at the wrong place is known, in words; undefined where it is known
 * nowhere, or at too many places for a guess.
 */
export function whereKeyBelongs(key: string, path: readonly string[]): string | undefined {
  if (path.at(-1) === 'deploy' && keysUnder('deploy', 'on').has(key)) return 'under "on"'
  if (path.length > 0) return keysUnder().has(key) ? 'at the top of the file' : undefined
  const sections = Object.keys(mapOf(rootType())?.keys ?? {}).filter(
    (section) => section !== 'deploy' && keysUnder(section).has(key),
  )
  if (sections.length === 0 || sections.length > 2) return undefined
  return `under ${sections.map((section) => `"${section}"`).join(' or ')}`
}

/** The keys of the map at a path of the normal form. */
function keysUnder(...path: string[]): ReadonlySet<string> {
  let type: Type | undefined = rootType()
  for (const key of path) type = type && mapOf(type)?.keys[key]
  return new Set(Object.keys((type && mapOf(type)?.keys) ?? {}))
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
