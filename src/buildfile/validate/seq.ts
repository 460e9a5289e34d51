import type { Node, SeqNode } from '../tree/node.ts'
import { amongEntries, type Location } from '../tree/location.ts'
import type { SeqType } from '../value-types/type.ts'
import { reportEmpty } from './empty.ts'
import { reportEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { isEmpty } from './kept-entries.ts'
import { nothing } from './nothing.ts'
import { checkUnique } from './unique.ts'
import type { Validating } from './validating.ts'

export function validateSeq(
  node: Node,
  type: SeqType,
  location: Location,
  validating: Validating,
): Node {
  if (node.kind !== 'seq') {
    const invalid = isInvalid(node, 'seq', location, validating)
    return validating.options.drop && invalid ? nothing(node) : node
  }
  const { of, envStrings } = type
  const inside = amongEntries(location, node.flattened)
  const items = node.items
    .map((item) => validating.validate(item, of, inside))
    .filter((item) => (envStrings ? item.kind !== 'none' : !isEmpty(item)))
  const seq: SeqNode = { kind: 'seq', items, start: node.start, end: node.end }
  reportEmpty(seq, location, validating)
  checkUnique(seq, type, location, validating)
  reportEdge(seq, type, location, validating)
  return seq
}
