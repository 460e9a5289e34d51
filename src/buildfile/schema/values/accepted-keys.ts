import { candidatesFrom } from '../../misspellings/misspelling.ts'
import { perType } from './per-type.ts'
import type { MapType } from './type.ts'

/** Whether the map knows the key by exactly this name. */
export function isAccepted({ keys }: MapType, key: string): boolean {
  return key in keys
}

/** Whether a key is user-defined, for example for anchors. */
export function isCustom(key: string): boolean {
  return key.startsWith('_') || key.startsWith('.')
}

/** The keys that are visited first, and exist even if they are not in the file. */
export function firstKeys({ firstKeys, required = [] }: MapType): readonly string[] {
  return firstKeys ?? required
}

/** The other names of the keys of a map. */
export const aliasesOf = perType(
  ({ otherNames = {} }: MapType): ReadonlyMap<string, string> =>
    new Map(Object.entries(otherNames)),
)

/** The names that a misspelt key may have been meant to be. */
export const keyCandidates = perType((type: MapType) =>
  candidatesFrom(Object.keys(type.keys), aliasesOf(type).keys()),
)
