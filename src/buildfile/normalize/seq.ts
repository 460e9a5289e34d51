import { readDefinitions } from '../env/definitions.ts'
import { reportValue } from '../messages/report.ts'
import type { SeqType } from '../schema/values/type.ts'
import { amongEntries, type Location, underWritten } from '../tree/location.ts'
import type { Node, SeqNode, Entry, StrNode } from '../tree/node.ts'
import type { Changing } from './changing.ts'

export function changeSeq(
  node: Node,
  type: SeqType,
  location: Location,
  changing: Changing,
): SeqNode {
  const located = node.kind === 'seq' ? underWritten(location) : location
  const read = type.envStrings ? readEnvStrings(node, located, changing) : node
  const { of } = type
  const { items, start, end, flattened } = flat(wrapped(read))
  const inside = amongEntries(located, flattened)
  const changed = items.map((item) => changing.change(item, of, inside))
  return { kind: 'seq', items: changed, start, end, ...(flattened && { flattened }) }
}

function wrapped(node: Node): SeqNode {
  if (node.kind === 'seq') return node
  const { start, end } = node
  return { kind: 'seq', items: [node], start, end }
}

/** Nested lists become one list, at any depth. */
function flat(seq: SeqNode): SeqNode {
  if (!seq.items.some(({ kind }) => kind === 'seq')) return seq
  const items: Node[] = []
  addFlat(items, seq)
  return { kind: 'seq', items, flattened: true, start: seq.start, end: seq.end }
}

function addFlat(to: Node[], seq: SeqNode): void {
  for (const item of seq.items) {
    if (item.kind === 'seq') addFlat(to, item)
    else to.push(item)
  }
}

/** Turns strings that define environment variables, and null, into maps; in lists also `false`. */
function readEnvStrings(node: Node, location: Location, changing: Changing): Node {
  switch (node.kind) {
    case 'none':
      return { kind: 'map', entries: [], start: node.start, end: node.end }
    case 'str':
      return readString(node, location, changing)
    case 'seq':
      return { ...node, items: node.items.map((item) => readEnvItem(item, location, changing)) }
    default:
      return node
  }
}

function readEnvItem(item: Node, location: Location, changing: Changing): Node {
  const says = item.kind !== 'bool' || item.value
  return readEnvStrings(says ? item : { ...item, kind: 'none' }, location, changing)
}

function readString(node: StrNode, location: Location, changing: Changing): Node {
  const { start, end } = node
  const definitions = readDefinitions(node.value)
  if (!definitions) {
    const args = { var: node.value }
    reportValue(changing, location, node, { level: 'error', code: 'invalid_env_var', args })
  }
  const entries = [...(definitions ?? [])].map(([key, text]): Entry => {
    return { key, value: { kind: 'str', value: text, start, end }, at: { start, end } }
  })
  return { kind: 'map', entries, start, end }
}
