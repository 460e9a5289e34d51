import type { Node, SeqNode } from '../tree/node.ts'
import { amongEntries, type Location } from '../tree/location.ts'
import type { SeqType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'
import { readEnvStrings } from './env-strings.ts'

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

/** The key of a list may be corrected already when that of its entries is not yet. */
function underWritten(location: Location): Location {
  const written = location.entry?.corrected?.written
  return written === undefined ? location : { ...location, written }
}

function wrapped(node: Node): SeqNode {
  if (node.kind === 'seq') return node
  const { start, end } = node
  return { kind: 'seq', items: [node], start, end }
}

/** Lists in lists are one list, however deep they are. */
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
