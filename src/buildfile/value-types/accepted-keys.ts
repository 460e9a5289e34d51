import { candidatesFrom } from '../misspellings/misspelling.ts'
import { perType } from './per-type.ts'
import type { MapType } from './type.ts'

/** A key that is known to the map by this very name. */
export function isAccepted({ keys }: MapType, key: string): boolean {
  return key in keys
}

/** Keys that users can make up, for anchors say. */
export function isCustom(key: string): boolean {
  return key.startsWith('_') || key.startsWith('.')
}

/** Keys that are visited first, and are there even if the file lacks them. */
export function firstKeys({ firstKeys, required = [] }: MapType): readonly string[] {
  return firstKeys ?? required
}

/** The other names of the keys of a map. */
export const aliasesOf = perType(
  ({ otherNames = {} }: MapType): ReadonlyMap<string, string> =>
    new Map(Object.entries(otherNames)),
)

/** What a misspelt key may have been meant to be. */
export const keyCandidates = perType((type: MapType) =>
  candidatesFrom([...Object.keys(type.keys), ...aliasesOf(type).keys()]),
)
