import type { Entry, MapNode, Node, Span, SecureNode, SeqNode } from '../tree/node.ts'
import { type Composition, count, type Properties } from './composition.ts'
import { type Key, entryOf } from './key.ts'
import { addEntry, type Entries, mergeEntries } from './map.ts'
import { mergeMode } from './properties.ts'

/** Adds a value under a key. `aliased`: the value comes from an alias. */
export function addValue(
  composition: Composition,
  entries: Entries,
  key: Key,
  value: Node,
  aliased: boolean,
): void {
  if (key.scalar.text === '<<') {
    const maps = mapsToMerge(composition, value, aliased)
    if (maps) return mergeEntries(entries, maps)
  }
  addEntry(entries, entryOf(key, value))
}

/** The maps that a `<<` merges; undefined if its value makes `<<` an ordinary key. */
function mapsToMerge(
  composition: Composition,
  value: Node,
  aliased: boolean,
): (readonly Entry[])[] | undefined {
  if (value.kind !== 'seq') {
    const entries = entriesOf(composition, value)
    return entries && [entries]
  }
  if (aliased) return undefined
  const maps: (readonly Entry[])[] = []
  for (const item of value.items) {
    const entries = entriesOf(composition, item)
    if (!entries) return undefined
    maps.push(entries)
  }
  return maps
}

function entriesOf(composition: Composition, node: Node): readonly Entry[] | undefined {
  return node.kind === 'map' ? node.entries : composition.secured.get(node)
}

/** Makes a map, or a secure value of a map with the single key `secure` that is not at the root. */
export function mapNode(
  composition: Composition,
  { list }: Entries,
  { start, end }: Span,
  properties: Properties | undefined,
): MapNode | SecureNode {
  count(composition, start)
  const [only] = list
  if (only && list.length === 1 && only.key === 'secure' && composition.depth > 1) {
    const secure: SecureNode = { kind: 'secure', value: only.value, start, end }
    if (only.duplicate) secure.duplicate = only.duplicate
    composition.secured.set(secure, list)
    return secure
  }
  const map: MapNode = { kind: 'map', entries: list, start, end }
  const merge = mergeMode(properties)
  if (merge !== undefined) map.merge = merge
  return map
}

export function sequenceNode(
  composition: Composition,
  items: Node[],
  { start, end }: Span,
  properties: Properties | undefined,
): SeqNode {
  count(composition, start)
  const node: SeqNode = { kind: 'seq', items, start, end }
  const merge = mergeMode(properties)
  if (merge !== undefined) node.merge = merge
  return node
}
