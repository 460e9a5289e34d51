import type { Entry, MapNode, Node } from '../tree/node.ts'

/**
 * Moves keys of a section into the maps below that lack them. A list gets them only
 * for what was written as a map: `before` is the section before its values were changed.
 */
export function inherit(section: MapNode, before: MapNode, keys: readonly string[]): MapNode {
  const shared = section.entries.filter(({ key }) => keys.includes(key))
  if (shared.length === 0) return section
  const entries = section.entries.flatMap((entry, index) => {
    if (keys.includes(entry.key)) return []
    return { ...entry, value: withShared(entry.value, before.entries[index]?.value, shared) }
  })
  return { ...section, entries }
}

function withShared(node: Node, before: Node | undefined, shared: readonly Entry[]): Node {
  if (node.kind === 'map') return withKeys(node, shared)
  if (node.kind !== 'seq') return node
  const items = node.items.map((item, index) => {
    const wanted = before?.kind !== 'seq' || before.items[index]?.kind === 'map'
    return wanted && item.kind === 'map' ? withKeys(item, shared) : item
  })
  return { ...node, items }
}

function withKeys(map: MapNode, shared: readonly Entry[]): MapNode {
  const known = new Set(map.entries.map(({ key }) => key))
  return { ...map, entries: [...map.entries, ...shared.filter(({ key }) => !known.has(key))] }
}
