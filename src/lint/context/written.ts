import type { Entry, MapNode, Node, SeqNode } from '../../buildfile/tree/node.ts'
import type { LintContext } from './context.ts'

export interface WrittenNode {
  node: Node
  /** Keys only, as written. */
  path: readonly string[]
}

/**
 * Every value of a file as written, each once even if several aliases lead to it. Many rules use them:
 * call through `once`.
 */
export function writtenNodes({ root }: LintContext): readonly WrittenNode[] {
  const seen = new Set<Node>()
  const written: WrittenNode[] = []
  function visit(node: Node, path: readonly string[]): void {
    if (seen.has(node)) return
    seen.add(node)
    written.push({ node, path })
    if (node.kind === 'seq') for (const item of node.items) visit(item, path)
    if (node.kind === 'map') for (const { key, value } of node.entries) visit(value, [...path, key])
  }
  visit(root, [])
  return written
}

/** A key and the map that it belongs to. */
export interface Member {
  entry: Entry
  map: MapNode
}

export interface WrittenIndex {
  /** By the offset of the key; several maps if `<<` merges it into other maps. */
  members: ReadonlyMap<number, readonly Member[]>
  /** Keys given more than once, by the offset of the first and of the last of them. */
  duplicates: ReadonlyMap<number, Entry>
  /** Sequences by their offset. */
  sequences: ReadonlyMap<number, SeqNode>
}

/** Index of written keys and sequences by their offset. */
export function writtenIndex({ once }: LintContext): WrittenIndex {
  const members = new Map<number, Member[]>()
  const duplicates = new Map<number, Entry>()
  const sequences = new Map<number, SeqNode>()
  for (const { node } of once(writtenNodes)) {
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

/** Whether a key is written in this map, rather than merged into it. */
export function isInside({ at }: Entry, map: MapNode): boolean {
  return at.start >= map.start && at.end <= map.end
}
