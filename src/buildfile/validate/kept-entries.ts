import { triedForms } from '../schema/values/forms.ts'
import type { MapType, Type } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Entry, MapNode, Node } from '../tree/node.ts'
import { isUnknown } from './unknown-keys.ts'
import type { Validating } from './validating.ts'

/** The entries of a strict map that have content. */
export function keptEntries(map: MapNode, type: MapType, { options }: Validating): Entry[] {
  return map.entries.filter(({ key, value }) => {
    if (options.drop && isUnknown(type, key)) return false
    return !isEmpty(value) && (hasContent(value) || !wantsMap(type.keys[key]))
  })
}

/** Whether a value is null or an empty map. */
export function isEmpty(node: Node): boolean {
  return node.kind === 'none' || (node.kind === 'map' && node.entries.length === 0)
}

/** If a map is expected, an empty text or sequence counts as an empty map. */
function wantsMap(type: Type | undefined): boolean {
  if (type?.kind === 'any') return wantsMap(triedForms(type)[0])
  return type?.kind === 'map'
}
