import type { Entry, MapNode, Node } from '../buildfile/node.ts'

export interface Written {
  node: Node
  /** Keys only, as written. */
  path: readonly string[]
  /** Of the map that it is the value of; the root has none, nor have entries of lists. */
  entry?: Entry
}

/** Every value of a file as written, each once however many aliases lead to it. */
export function* writtenIn(root: MapNode): Generator<Written> {
  const seen = new Set<Node>()
  const waiting: Written[] = [{ node: root, path: [] }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next.node)) continue
    seen.add(next.node)
    yield next
    waiting.push(...childrenOf(next).toReversed())
  }
}

function childrenOf({ node, path }: Written): Written[] {
  if (node.kind === 'seq') return node.items.map((item) => ({ node: item, path }))
  if (node.kind !== 'map') return []
  return node.entries.map((entry) => ({ node: entry.value, path: [...path, entry.key], entry }))
}
