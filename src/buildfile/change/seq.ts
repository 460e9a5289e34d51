import { matches } from '../value-types/matches.ts'
import type { Node, SeqNode } from '../tree/node.ts'
import { shownValue } from '../messages/shown-value.ts'
import type { Location } from '../tree/location.ts'
import { reportValue } from '../messages/report.ts'
import type { SeqType } from '../value-types/type.ts'
import type { Changing } from './changing.ts'
import { readEnvStrings } from './env-strings.ts'

export function changeSeq(
  node: Node,
  type: SeqType,
  location: Location,
  changing: Changing,
): SeqNode {
  const read = type.envStrings ? readEnvStrings(node, location, changing) : node
  const seq = innerSeq(flat(wrapped(read)), type, location, changing)
  const { of } = type
  const items = seq.items.map((item) => changing.change(item, of, location))
  return { kind: 'seq', items, start: seq.start, end: seq.end }
}

function wrapped(node: Node): SeqNode {
  if (node.kind === 'seq') return node
  const { start, end } = node
  return { kind: 'seq', items: [node], start, end }
}

function flat(seq: SeqNode): SeqNode {
  if (!seq.items.some(({ kind }) => kind === 'seq')) return seq
  const items = seq.items.flatMap((item) => (item.kind === 'seq' ? item.items : item))
  return { kind: 'seq', items, start: seq.start, end: seq.end }
}

/** Of what is still nested only the first sequence is used, if the type wants no sequences. */
function innerSeq(seq: SeqNode, type: SeqType, location: Location, changing: Changing): SeqNode {
  const [first] = seq.items
  if (first?.kind !== 'seq' || matches(seq, type) || !matches(first, type)) return seq
  const args = { value: shownValue(first) }
  reportValue(changing, location, seq, { level: 'warn', code: 'unexpected_seq', args })
  return first
}
