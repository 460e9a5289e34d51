import { matches } from '../value-types/matches.ts'
import type { Corrected, Entry, MapNode, Node } from '../tree/node.ts'
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
  const map = firstMap(short, type, location, changing)
  return map.kind === 'map' ? changeValues(map, type, location, changing) : map
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
  const changed = changing.change(long, type, location)
  return matches(changed, type) ? changed : undefined
}

/** From now on the line of a corrected key is that of the entry it replaced. */
function settled(entry: Entry, value: Node, { replaced }: Corrected): Entry {
  const { corrected: _corrected, line: own, ...others } = entry
  const line = replaced ? replaced.line : own
  return line === undefined ? { ...others, value } : { ...others, value, line }
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
    if (entry.corrected) return settled(entry, value, entry.corrected)
    return value === entry.value ? entry : { ...entry, value }
  })
  const changed: MapNode = { kind: 'map', entries, start: map.start, end: map.end }
  if (!type.inherit) return changed
  return inherit(changed, map, type.inherit, (shared, target) => {
    const wanted = valueType(type, shared.key)
    if (!wanted) return shared
    const located = { above: { above: location, entry: target }, entry: shared }
    return { ...shared, value: changing.change(shared.value, wanted, located) }
  })
}
