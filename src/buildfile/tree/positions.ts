import { isWritten } from './location.ts'
import type { Entry, MapNode, Node, Span } from './node.ts'

/** A path in the normal form: keys, and indices of entries from 0. */
export type NormalPath = readonly (string | number)[]

/** The position of a part of the normal form in the prepared text of its file. */
export interface Position {
  /** The key as written; absent for entries of sequences and for keys that are in no file. */
  key?: Span
  value: Span
  /** The file, if that is not the build file itself. */
  src?: string
}

/** Undefined for a path that does not exist, and for content that is in no file, such as defaults. */
export type Positions = (path: NormalPath) => Position | undefined

export function positionsIn(root: Node): Positions {
  const find = entryFinder()
  return (path) => {
    let node = root
    const position: Partial<Position> = {}
    for (const step of path) {
      delete position.key
      const entry = typeof step === 'string' ? find(node, step) : undefined
      const inner = entry?.value ?? itemAt(node, step)
      if (!inner) return undefined
      node = inner
      if (!entry || !isWritten(entry.at)) continue
      position.key = entry.at
      if (entry.src !== undefined) position.src = entry.src
    }
    const { start, end } = node
    return isWritten(node) ? { ...position, value: { start, end } } : undefined
  }
}

function itemAt(node: Node, step: string | number): Node | undefined {
  if (node.kind === 'secure') return step === 'secure' ? node.value : undefined
  return node.kind === 'seq' && typeof step === 'number' ? node.items[step] : undefined
}

const fewEntries = 8

/** Finds a key in a map; in a large one by an index. */
function entryFinder(): (node: Node, key: string) => Entry | undefined {
  const indices = new WeakMap<MapNode, ReadonlyMap<string, Entry>>()
  return (node, key) => {
    if (node.kind !== 'map') return undefined
    if (node.entries.length <= fewEntries) return node.entries.find((entry) => entry.key === key)
    const index = indices.get(node) ?? new Map(node.entries.map((entry) => [entry.key, entry]))
    indices.set(node, index)
    return index.get(key)
  }
}
