import type { Entry, MapNode, Node, SeqNode } from '../../buildfile/tree/node.ts'
import type { Context } from './context.ts'

export interface WrittenNode {
  node: Node
  /** Keys only, as written. */
  path: readonly string[]
}

/** Every value of a file as written, each once however many aliases lead to it. */
export function* writtenIn(root: MapNode): Generator<WrittenNode> {
  const seen = new Set<Node>()
  const waiting: WrittenNode[] = [{ node: root, path: [] }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next.node)) continue
    seen.add(next.node)
    yield next
    for (const child of childrenOf(next).toReversed()) waiting.push(child)
  }
}

function childrenOf({ node, path }: WrittenNode): WrittenNode[] {
  if (node.kind === 'seq') return node.items.map((item) => ({ node: item, path }))
  if (node.kind !== 'map') return []
  return node.entries.map(({ key, value }) => ({ node: value, path: [...path, key] }))
}

/** A key and the map that it belongs to. */
export interface Member {
  entry: Entry
  map: MapNode
}

export interface WrittenIndex {
  /** By the offset of the key; several where `<<` merges it into other maps. */
  members: ReadonlyMap<number, readonly Member[]>
  /** Keys given more than once, by the offset of the first and of the last of them. */
  duplicates: ReadonlyMap<number, Entry>
  /** By the offset of the sequence. */
  sequences: ReadonlyMap<number, SeqNode>
}

/** Finds what is written by where it is. */
export function writtenIndex({ root }: Context): WrittenIndex {
  const members = new Map<number, Member[]>()
  const duplicates = new Map<number, Entry>()
  const sequences = new Map<number, SeqNode>()
  for (const { node } of writtenIn(root)) {
    if (node.kind === 'seq') sequences.set(node.start, node)
    if (node.kind !== 'map') continue
    for (const entry of node.entries) {
      const { start } = entry.at
      if (entry.duplicate) duplicates.set(start, entry).set(entry.duplicate.start, entry)
      const known = members.get(start)
      if (known) known.push({ entry, map: node })
      else members.set(start, [{ entry, map: node }])
    }
  }
  return { members, duplicates, sequences }
}
