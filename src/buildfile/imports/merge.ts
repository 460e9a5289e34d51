import type { Message } from '../messages/message.ts'
import type { Entry, MapNode, Node, SeqNode } from '../tree/node.ts'
import { type MergeMode, type Merging, mergingOf, mergingOfTag } from './mode.ts'

/** A parsed build file; `mode` says how it is merged below the sources before it. */
export interface ImportSource {
  root: MapNode
  mode: MergeMode
  /** The name that its entries are marked with; null for the build file itself. */
  src: string | null
}

/** Keys about the merging of files, not about the build. */
const aboutMerging = ['import', 'merge_mode']

/**
 * Merges sources, the first of which wins. Their content is kept as written; spans refer to the file
 * that it comes from. The build file keeps its `import`, so that all of it is checked.
 */
export function mergeSources(sources: readonly ImportSource[]): {
  root: MapNode
  messages: Message[]
} {
  const messages: Message[] = []
  const roots = sources.map(({ root, src }) => (src === null ? root : importedRoot(root, src)))
  const root = roots.reduce((left, right, index) =>
    mergeMaps(left, right, mergingOf(sources[index]?.mode ?? 'deep_merge'), {
      path: [],
      report: (message) => messages.push(message),
    }),
  )
  return { root, messages }
}

function importedRoot(root: MapNode, src: string): MapNode {
  const { entries, ...map } = withSrc(root, src)
  return { ...map, entries: entries.filter(({ key }) => !aboutMerging.includes(key)) }
}

function withSrc(map: MapNode, src: string): MapNode {
  const marked = (node: Node): Node => {
    if (node.kind === 'seq') return { ...node, items: node.items.map(marked) }
    return node.kind === 'map' ? withSrc(node, src) : node
  }
  const entries = map.entries.map((entry) => ({ ...entry, value: marked(entry.value), src }))
  return { ...map, entries }
}

/** The place where two parts of the same key are merged. */
interface MergeLocation {
  path: string[]
  /** The entry of the higher source. */
  entry?: Entry
  report: (message: Message) => void
}

function mergeMaps(
  left: MapNode,
  right: MapNode,
  around: Merging,
  location: MergeLocation,
): MapNode {
  const merging = chosen(left, around, location)
  if (merging.maps === 'replace') return left
  const below: Merging =
    merging.maps === 'merge' ? { maps: 'replace', seqs: merging.seqs } : merging

  const lower = new Map(right.entries.map((entry) => [entry.key, entry]))
  const entries = left.entries.map((entry) => {
    const other = lower.get(entry.key)
    lower.delete(entry.key)
    if (!other) return entry
    const inner = { ...location, path: pathTo(location.path, entry.key), entry }
    return { ...entry, value: mergeNodes(entry.value, other.value, below, inner) }
  })
  return { ...left, entries: [...entries, ...lower.values()] }
}

function mergeNodes(left: Node, right: Node, merging: Merging, location: MergeLocation): Node {
  if (left.kind === 'map' && right.kind === 'map') return mergeMaps(left, right, merging, location)
  if (left.kind === 'seq' && right.kind === 'seq') return mergeSeqs(left, right, merging, location)
  return left
}

function mergeSeqs(
  left: SeqNode,
  right: SeqNode,
  around: Merging,
  location: MergeLocation,
): SeqNode {
  const { seqs } = chosen(left, around, location)
  if (seqs === 'replace') return left
  const items =
    seqs === 'append' ? [...right.items, ...left.items] : [...left.items, ...right.items]
  return { ...left, items }
}

/** The merging for this part and below: the tag of the higher part decides, if there is one. */
function chosen(
  { merge, start, end }: MapNode | SeqNode,
  around: Merging,
  location: MergeLocation,
): Merging {
  if (merge === undefined) return around
  const merging = mergingOfTag(merge)
  if (merging) return merging
  const { path, entry, report } = location
  report({
    level: 'error',
    key: path,
    code: 'unknown_value',
    args: { value: `!${merge}` },
    at: { start, end },
    ...(entry?.line !== undefined && { line: entry.line }),
    ...(entry?.src !== undefined && { src: entry.src }),
  })
  return around
}

/** Appends a key; a path never contains a name twice. */
function pathTo(path: string[], key: string): string[] {
  return path.includes(key) ? path : [...path, key]
}
