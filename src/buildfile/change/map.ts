import { matches } from '../value-types/matches.ts'
import type { MapNode, Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { MapType } from '../value-types/type.ts'
import { valueType } from '../value-types/value-type.ts'
import { cacheMap } from './cache-map.ts'
import type { Changing } from './changing.ts'
import { enabledMap } from './enabled-map.ts'
import { firstMap } from './first-entry.ts'
import { inherit } from './inherit.ts'
import { changeKeys } from './keys.ts'
import { longForm } from './long-form.ts'

export function changeMap(node: Node, type: MapType, location: Location, changing: Changing): Node {
  const short = shortForm(node, type, location, changing)
  const long = longForm(short, type)
  if (long && matches(long, type)) return changeValues(long, type, location, changing)
  const again = long && changeAgain(long, type, location, changing)
  if (again) return again
  if (short.kind === 'map') return changeValues(short, type, location, changing)
  return firstMap(short, type, location, changing)
}

function shortForm(node: Node, type: MapType, location: Location, changing: Changing): Node {
  const keyed =
    node.kind === 'map' && type.strict ? changeKeys(node, type, location, changing) : node
  const cached = type.cacheShorthand ? cacheMap(keyed, type, location, changing) : keyed
  return type.enable ? enabledMap(cached, type) : cached
}

/** A long form that does not fit yet counts only if it does then. */
function changeAgain(
  long: MapNode,
  type: MapType,
  location: Location,
  changing: Changing,
): Node | undefined {
  const before = changing.messages.length
  const changed = changing.change(long, type, location)
  if (matches(changed, type)) return changed
  changing.messages.length = before
  return undefined
}

function changeValues(
  map: MapNode,
  type: MapType,
  location: Location,
  changing: Changing,
): MapNode {
  const entries = map.entries.map((entry) => {
    const wanted = valueType(type, entry.key)
    if (!wanted) return entry
    const value = changing.change(entry.value, wanted, { above: location, entry })
    return value === entry.value ? entry : { ...entry, value }
  })
  const changed: MapNode = { kind: 'map', entries, start: map.start, end: map.end }
  return type.inherit ? inherit(changed, map, type.inherit) : changed
}
