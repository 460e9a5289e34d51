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

/**
 * A tree of bytes as columns of numbers: a long key in all its forms makes some 50,000 nodes, and
 * objects for them took twice as long to make. Node 0 is the root, and as a child it means none.
 */
interface Tree {
  byte: number[]
  depth: number[]
  child: number[]
  sibling: number[]
  fallback: number[]
  found: number[]
  open: number[]
}

export function arrangeNeedles(texts: Iterable<Uint8Array>): Needles {
  const tree: Tree = {
    byte: [0],
    depth: [0],
    child: [0],
    sibling: [0],
    fallback: [0],
    found: [0],
    open: [0],
  }
  for (const text of texts) plant(tree, text)
  // The root has the most children by far, and is asked the most.
  const first = Int32Array.from({ length: 256 }, (_, byte) => childOf(tree, 0, byte))
  connect(tree, first)
  return {
    step: (state, byte) => goOn(tree, first, state, byte),
    found: (state) => tree.found[state] ?? 0,
    open: (state) => tree.open[state] ?? 0,
  }
}

function plant(tree: Tree, text: Uint8Array): void {
  let node = 0
  for (const byte of text) node = childOf(tree, node, byte) || grow(tree, node, byte)
  tree.found[node] = text.length
}

function grow(tree: Tree, parent: number, byte: number): number {
  const node = tree.byte.push(byte) - 1
  tree.depth.push((tree.depth[parent] ?? 0) + 1)
  tree.sibling.push(tree.child[parent] ?? 0)
  for (const column of [tree.child, tree.fallback, tree.found, tree.open]) column.push(0)
  tree.child[parent] = node
  return node
}

/** Level by level, since the fallback of a node is always nearer to the root than the node. */
function connect(tree: Tree, first: Int32Array): void {
  const { depth, child, fallback, found, open } = tree
  let level = [0]
  while (level.length > 0) {
    const below: number[] = []
    for (const parent of level) {
      for (const node of childrenOf(tree, parent)) {
        const shorter =
          parent === 0 ? 0 : goOn(tree, first, fallback[parent] ?? 0, tree.byte[node] ?? 0)
        fallback[node] = shorter
        found[node] = Math.max(found[node] ?? 0, found[shorter] ?? 0)
        open[node] = (child[node] === 0 ? open[shorter] : depth[node]) ?? 0
        below.push(node)
      }
    }
    level = below
  }
}

function goOn(tree: Tree, first: Int32Array, from: number, byte: number): number {
  for (let state = from; state !== 0; state = tree.fallback[state] ?? 0) {
    const next = childOf(tree, state, byte)
    if (next !== 0) return next
  }
  return first[byte] ?? 0
}

function childOf({ byte: bytes, child, sibling }: Tree, parent: number, byte: number): number {
  let node = child[parent] ?? 0
  while (node !== 0 && bytes[node] !== byte) node = sibling[node] ?? 0
  return node
}

function* childrenOf({ child, sibling }: Tree, parent: number): Generator<number> {
  for (let node = child[parent] ?? 0; node !== 0; node = sibling[node] ?? 0) yield node
}
