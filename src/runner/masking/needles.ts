/**
 * Texts to search for in a stream, arranged so that each byte is read once however many texts there are
 * (after Aho and Corasick). A state is a number; it represents the longest suffix of the bytes read that
 * is the beginning of a needle. State 0 represents the empty suffix.
 */
export interface Needles {
  /** The state after one more byte. */
  step(state: number, byte: number): number
  /** Length of the longest needle that ends in this state, or 0. */
  found(state: number): number
  /** Length of the suffix that the state represents. */
  depth(state: number): number
  /** How many of the last bytes may still begin a needle that has not ended. */
  open(state: number): number
  /** For each first byte, the state in which a needle begins; 0 if there is none. */
  first: Int32Array
  /** Whether a needle begins with a byte whose first `bits` bits equal `value`. */
  begins(bits: number, value: number): boolean
  /** Length of the longest needle. */
  longest: number
}

/**
 * A tree of bytes as columns of numbers, 25 bytes a node: objects took ten times the memory, and twice
 * the time to build. Node 0 is the root; as a child it means none.
 */
interface Tree {
  size: number
  byte: Uint8Array
  depth: Int32Array
  child: Int32Array
  sibling: Int32Array
  fallback: Int32Array
  found: Int32Array
  open: Int32Array
  /** Nodes two levels below the root, by their two bytes: nodes above them have hundreds of children. */
  pairs: Int32Array
}

export function arrangeNeedles(texts: readonly Uint8Array[]): Needles {
  const room = texts.reduce((sum, { length }) => sum + length, 1)
  const column = () => new Int32Array(room)
  const tree: Tree = {
    size: 1,
    byte: new Uint8Array(room),
    depth: column(),
    child: column(),
    sibling: column(),
    fallback: column(),
    found: column(),
    open: column(),
    pairs: new Int32Array(65_536),
  }
  // The root has by far the most children, and is read most often.
  const first = new Int32Array(256)
  for (const text of texts) plant(tree, first, text)
  connect(tree, first)
  const beginnings = beginningsOf(first)
  return {
    step: (state, byte) => goOn(tree, first, state, byte),
    found: (state) => tree.found[state] ?? 0,
    depth: (state) => tree.depth[state] ?? 0,
    open: (state) => tree.open[state] ?? 0,
    first,
    begins: (bits, value) => beginnings[(1 << bits) | value] === 1,
    longest: texts.reduce((most, { length }) => Math.max(most, length), 0),
  }
}

/** Whether a needle begins with the given bits; the index is a leading 1 followed by the bits. */
function beginningsOf(first: Int32Array): Uint8Array {
  const beginnings = new Uint8Array(512)
  for (const [byte, node] of first.entries()) {
    if (node === 0) continue
    for (let bits = 1; bits <= 8; bits += 1) beginnings[(1 << bits) | (byte >> (8 - bits))] = 1
  }
  return beginnings
}

function plant(tree: Tree, first: Int32Array, text: Uint8Array): void {
  const [begin = 0] = text
  first[begin] ||= grow(tree, 0, begin)
  let node = first[begin] ?? 0
  for (let at = 1; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    node = childOf(tree, node, byte) || grow(tree, node, byte)
  }
  tree.found[node] = text.length
}

function grow(tree: Tree, parent: number, byte: number): number {
  const node = tree.size
  tree.size += 1
  tree.byte[node] = byte
  tree.depth[node] = (tree.depth[parent] ?? 0) + 1
  tree.sibling[node] = tree.child[parent] ?? 0
  tree.child[parent] = node
  if (tree.depth[node] === 2) tree.pairs[pairOf(tree, parent, byte)] = node
  return node
}

/** Level by level, because the fallback of a node is always nearer to the root than the node. */
function connect(tree: Tree, first: Int32Array): void {
  const { depth, child, sibling, fallback, found, open } = tree
  const waiting = new Int32Array(tree.size)
  let end = 1
  for (let next = 0; next < end; next += 1) {
    const parent = waiting[next] ?? 0
    for (let node = child[parent] ?? 0; node !== 0; node = sibling[node] ?? 0) {
      const shorter =
        parent === 0 ? 0 : goOn(tree, first, fallback[parent] ?? 0, tree.byte[node] ?? 0)
      fallback[node] = shorter
      found[node] = Math.max(found[node] ?? 0, found[shorter] ?? 0)
      open[node] = (child[node] === 0 ? open[shorter] : depth[node]) ?? 0
      waiting[end] = node
      end += 1
    }
  }
}

function goOn(tree: Tree, first: Int32Array, from: number, byte: number): number {
  for (let state = from; state !== 0; state = tree.fallback[state] ?? 0) {
    const next = childOf(tree, state, byte)
    if (next !== 0) return next
  }
  return first[byte] ?? 0
}

function pairOf(tree: Tree, parent: number, byte: number): number {
  return ((tree.byte[parent] ?? 0) << 8) | byte
}

function childOf(tree: Tree, parent: number, byte: number): number {
  const { byte: bytes, depth, child, sibling, pairs } = tree
  if (depth[parent] === 1) return pairs[pairOf(tree, parent, byte)] ?? 0
  let node = child[parent] ?? 0
  while (node !== 0 && bytes[node] !== byte) node = sibling[node] ?? 0
  return node
}
