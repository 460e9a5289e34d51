/**
 * Texts to look for in a stream, arranged so that each byte is looked at once however many texts
 * there are (after Aho and Corasick). A state is a number; it stands for the longest end of what
 * was seen that is the beginning of a needle. State 0 stands for nothing.
 */
export interface Needles {
  /** The state after one more byte. */
  step(state: number, byte: number): number
  /** Length of the longest needle that ends in this state, or 0. */
  found(state: number): number
  /** How many of the bytes last seen may still turn out to begin a needle that has not ended. */
  open(state: number): number
}

interface Node {
  next: Map<number, number>
  depth: number
  fallback: number
  found: number
  open: number
}

export function arrangeNeedles(texts: Iterable<Uint8Array>): Needles {
  const nodes: Node[] = [newNode(0)]
  for (const text of texts) plant(nodes, text)
  connect(nodes)
  const at = (state: number) => nodes[state] ?? newNode(0)

  return {
    step(from, byte) {
      for (let state = from; ; state = at(state).fallback) {
        const next = at(state).next.get(byte)
        if (next !== undefined) return next
        if (state === 0) return 0
      }
    },
    found: (state) => at(state).found,
    open: (state) => at(state).open,
  }
}

function newNode(depth: number): Node {
  return { next: new Map(), depth, fallback: 0, found: 0, open: 0 }
}

function plant(nodes: Node[], text: Uint8Array): void {
  let node = nodes[0]
  for (const byte of text) {
    if (!node) return
    let next = node.next.get(byte)
    if (next === undefined) {
      next = nodes.push(newNode(node.depth + 1)) - 1
      node.next.set(byte, next)
    }
    node = nodes[next]
  }
  if (node) node.found = node.depth
}

/** Level by level, since a node's fallback is always nearer to the root than the node itself. */
function connect(nodes: Node[]): void {
  let level = [0]
  while (level.length > 0) {
    const below: number[] = []
    for (const state of level) {
      const node = nodes[state]
      if (!node) continue
      for (const [byte, next] of node.next) {
        const child = nodes[next]
        if (!child) continue
        child.fallback = state === 0 ? 0 : goOn(nodes, node.fallback, byte)
        const shorter = nodes[child.fallback]
        child.found = Math.max(child.found, shorter?.found ?? 0)
        child.open = child.next.size > 0 ? child.depth : (shorter?.open ?? 0)
        below.push(next)
      }
    }
    level = below
  }
}

function goOn(nodes: Node[], from: number, byte: number): number {
  for (let state = from; ; state = nodes[state]?.fallback ?? 0) {
    const next = nodes[state]?.next.get(byte)
    if (next !== undefined) return next
    if (state === 0) return 0
  }
}
