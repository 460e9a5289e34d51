import type { Entry, MapNode, Node } from '../tree/node.ts'

/** Changes the value of a shared key as part of the section that inherits it. */
type ChangeShared = (shared: Entry, target: Entry) => Entry

/**
 * Moves shared keys of a section into the maps below that lack them. In a list only entries that were
 * written as maps get them: `before` is the section before its values were changed.
 */
export function inherit(
  section: MapNode,
  before: MapNode,
  keys: readonly string[],
  changeShared: ChangeShared,
): MapNode {
  const shared = before.entries.filter(({ key }) => keys.includes(key))
  if (shared.length === 0) return section
  const entries = section.entries.flatMap((entry, index) => {
    if (keys.includes(entry.key)) return []
    const value = withShared(entry.value, before.entries[index]?.value, () =>
      shared.map((each) => changeShared(each, entry)),
    )
    return { ...entry, value }
  })
  return { ...section, entries }
}

function withShared(node: Node, before: Node | undefined, sharedOf: () => Entry[]): Node {
  if (node.kind === 'map') return withKeys(node, sharedOf())
  if (node.kind !== 'seq') return node
  const isWanted = (item: Node, index: number) =>
    item.kind === 'map' && (before?.kind !== 'seq' || before.items[index]?.kind === 'map')
  if (!node.items.some(isWanted)) return node
  const shared = sharedOf()
  const items = node.items.map((item, index) =>
    item.kind === 'map' && isWanted(item, index) ? withKeys(item, shared) : item,
  )
  return { ...node, items }
}

function withKeys(map: MapNode, shared: readonly Entry[]): MapNode {
  const known = new Set(map.entries.map(({ key }) => key))
  return { ...map, entries: [...map.entries, ...shared.filter(({ key }) => !known.has(key))] }
}
