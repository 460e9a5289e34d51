import { isAccepted, aliasesOf } from '../schema/values/accepted-keys.ts'
import { matches } from '../schema/values/matches.ts'
import { type MapType, valueType } from '../schema/values/type.ts'
import { hasContent } from '../tree/has-content.ts'
import type { Location } from '../tree/location.ts'
import { type Corrected, type Entry, type MapNode, type Node, nowhere } from '../tree/node.ts'
import { cacheMap } from './cache-map.ts'
import { castBool } from './cast.ts'
import type { Changing } from './changing.ts'
import { firstMap } from './first-entry.ts'
import { inherit } from './inherit.ts'
import { changeKeys } from './keys.ts'

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

/** Changes a long form that does not fit yet; undefined if it still does not fit. */
function changeAgain(
  long: MapNode,
  type: MapType,
  location: Location,
  changing: Changing,
): Node | undefined {
  const changed = changing.change(long, type, location)
  return matches(changed, type) ? changed : undefined
}

/** From here on a corrected key has the line of the entry it replaced. */
function settled(entry: Entry, value: Node, { replaced }: Corrected): Entry {
  const { corrected: _corrected, line: own, ...others } = entry
  const line = replaced ? replaced.line : own
  return line === undefined ? { ...others, value } : { ...others, value, line }
}

/** Whether a list or map under a shared key is only read in the sections that inherit it. */
function isOnlyShared({ key, value }: Entry, { inherit: shared }: MapType): boolean {
  return shared?.includes(key) === true && (value.kind === 'seq' || value.kind === 'map')
}

function changeValues(
  map: MapNode,
  type: MapType,
  location: Location,
  changing: Changing,
): MapNode {
  const entries = map.entries.map((entry) => {
    const wanted = valueType(type, entry.key)
    if (!wanted || isOnlyShared(entry, type)) return entry
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

/** Turns `true` into `{enabled: true}`, and `{disabled: true}` into `{enabled: false}`. */
function enabledMap(node: Node, type: MapType): Node {
  if (!isAccepted(type, 'enabled')) return node
  if (node.kind === 'map') return { ...node, entries: withoutDisabled(node.entries) }
  const switched = isSwitch(node) ? castBool(node) : undefined
  if (!switched) return node
  const { start, end } = node
  return { kind: 'map', entries: [{ key: 'enabled', value: switched, at: nowhere }], start, end }
}

function isSwitch(node: Node): boolean {
  return node.kind === 'bool' || (node.kind === 'str' && /^(?:yes|no)$/.test(node.value))
}

/** If both keys exist, `enabled` wins. */
function withoutDisabled(entries: Entry[]): Entry[] {
  const disabled = entries.find(({ key }) => key === 'disabled')
  if (!disabled) return entries
  const others = entries.filter((entry) => entry !== disabled)
  if (others.some(({ key }) => key === 'enabled')) return others
  const { value } = disabled
  const off = castBool(value)
  const enabled = off ? { ...off, value: !off.value } : value
  return [...others, { ...disabled, key: 'enabled', value: enabled }]
}

/** Expands a short form: the value, or a map's unknown keys, become the value of one key. */
function longForm(node: Node, type: MapType): MapNode | undefined {
  const { shorthand } = type
  if (!shorthand || !hasContent(node)) return undefined
  const { key, only } = shorthand
  if (only && !only.some((kind) => kind === node.kind)) return undefined
  if (node.kind !== 'map') return mapOf(node, [madeUp(key, node)])
  const { entries } = node
  if (entries.some((entry) => entry.key === key)) return undefined
  const foreign = entries.filter((entry) => !isKnown(type, entry))
  if (foreign.length === 0) return undefined
  const known = entries.filter((entry) => isKnown(type, entry))
  return mapOf(node, [madeUp(key, moved(node, foreign)), ...known])
}

function isKnown(type: MapType, { key }: Entry): boolean {
  return isAccepted(type, key) || aliasesOf(type).has(key)
}

function moved(node: Node, entries: Entry[]): Node {
  const [only] = entries
  if (only?.key !== 'secure' || entries.length > 1) return mapOf(node, entries)
  const { start, end } = node
  return { kind: 'secure', value: only.value, start, end }
}

function madeUp(key: string, value: Node): Entry {
  return { key, value, at: nowhere }
}

function mapOf({ start, end }: Node, entries: Entry[]): MapNode {
  return { kind: 'map', entries, start, end }
}
