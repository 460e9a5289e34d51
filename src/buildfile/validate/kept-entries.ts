import { triedForms } from '../value-types/forms.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Entry, MapNode, Node } from '../tree/node.ts'
import type { MapType, Type } from '../value-types/type.ts'
import { isUnknown } from './unknown-keys.ts'
import type { Validating } from './validating.ts'

/** The keys of a strict map that say something. */
export function keptEntries(map: MapNode, type: MapType, { options }: Validating): Entry[] {
  return map.entries.filter(({ key, value }) => {
    if (options.drop && isUnknown(type, key)) return false
    return !isEmpty(value) && (hasContent(value) || !wantsMap(type.keys[key]))
  })
}

/** Null, or an empty map. */
export function isEmpty(node: Node): boolean {
  return node.kind === 'none' || (node.kind === 'map' && node.entries.length === 0)
}

/** Where a map is wanted, an empty text or sequence says no more than an empty map. */
function wantsMap(type: Type | undefined): boolean {
  if (type?.kind === 'any') return wantsMap(triedForms(type)[0])
  return type?.kind === 'map'
}
