import type { Entry, MapNode, Node, Span } from '../tree/node.ts'

/** One import as a file writes it. */
export interface Import {
  source: string
  mode: WrittenText | null
  condition: string | null
  /** Span of the source. */
  at: Span
  line: number | undefined
}

export interface WrittenText {
  text: string
  at: Span
  line: number | undefined
}

/** The imports of a file. Invalid imports are skipped; checking the file reports them. */
export function importsOf(root: MapNode): Import[] {
  const section = entryOf(root, 'import')
  return section ? readSection(section.value, section) : []
}

function readSection(node: Node, section: Entry): Import[] {
  if (node.kind === 'seq') return node.items.flatMap((item) => readSection(item, section))
  if (node.kind === 'str') {
    const { value: source, start, end } = node
    return [{ source, mode: null, condition: null, at: { start, end }, line: section.line }]
  }
  return node.kind === 'map' ? readMap(node) : []
}

function readMap(map: MapNode): Import[] {
  const source = textAt(map, 'source')
  if (!source) return []
  const { text, at, line } = source
  const condition = textAt(map, 'if')?.text ?? null
  return [{ source: text, mode: textAt(map, 'mode') ?? null, condition, at, line }]
}

/** The text under a key; numbers and other scalars are written as text. */
export function textAt(map: MapNode, key: string): WrittenText | undefined {
  const entry = entryOf(map, key)
  const value = entry?.value
  if (!value || !('value' in value) || value.kind === 'secure') return undefined
  const at = { start: value.start, end: value.end }
  return { text: String(value.value), at, line: entry.line }
}

function entryOf(map: MapNode, key: string): Entry | undefined {
  return map.entries.find((entry) => entry.key === key)
}
