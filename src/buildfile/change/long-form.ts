import { aliasesOf, isAccepted } from '../value-types/accepted-keys.ts'
import { hasContent } from '../tree/has-content.ts'
import { type Entry, type MapNode, type Node, nowhere } from '../tree/node.ts'
import type { MapType } from '../value-types/type.ts'

/** What a short form stands for: the value of one key of the map, or the others beside that key. */
export function longForm(node: Node, type: MapType): MapNode | undefined {
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
