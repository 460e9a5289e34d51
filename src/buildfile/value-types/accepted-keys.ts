import { candidatesFrom } from '../misspellings/misspelling.ts'
import { perType } from './per-type.ts'
import type { MapType, Type } from './type.ts'

/** A key that is known to the map by this very name. */
export function isAccepted({ keys }: MapType, key: string): boolean {
  return key in keys
}

/** Keys that users can make up, for anchors say. */
export function isCustom(key: string): boolean {
  return key.startsWith('_') || key.startsWith('.')
}

/** Keys that are visited first, and are there even if the file lacks them. */
export const firstKeys = perType(({ keys, required = [] }: MapType): readonly string[] => {
  const rest = Object.keys(keys).filter((key) => keys[key]?.defaults && !required.includes(key))
  return [...required, ...rest]
})

/** The other names of the keys of a map. */
export const aliasesOf = perType(({ keys }: MapType): ReadonlyMap<string, string> => {
  return new Map(
    Object.keys(keys).flatMap((key) => aliasesIn(keys[key]).map((alias) => [alias, key] as const)),
  )
})

/** Forms and entries may have aliases for the key that holds them. */
function aliasesIn(type: Type | undefined): readonly string[] {
  if (!type) return []
  const { aliases = [] } = type
  if (type.kind === 'seq') return [...aliases, ...aliasesIn(type.of)]
  if (type.kind === 'any') return [...aliases, ...type.of.flatMap(aliasesIn)]
  return aliases
}

/** What a misspelt key may have been meant to be. */
export const keyCandidates = perType((type: MapType) =>
  candidatesFrom([...Object.keys(type.keys), ...aliasesOf(type).keys()]),
)
