import type { Node, SeqNode } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import type { SeqType } from '../value-types/type.ts'
import { tellEmpty } from './empty.ts'
import { tellEdge } from './flags.ts'
import { isInvalid } from './invalid-type.ts'
import { isEmpty } from './kept-entries.ts'
import { nothing } from './nothing.ts'
import { checkUnique } from './unique.ts'
import type { Validating } from './validating.ts'

export function validateSeq(node: Node, type: SeqType, spot: Spot, validating: Validating): Node {
  if (node.kind !== 'seq') {
    const invalid = isInvalid(node, 'seq', spot, validating)
    return validating.options.drop && invalid ? nothing(node) : node
  }
  const { of, envStrings } = type
  const items = node.items
    .map((item) => validating.validate(item, of, spot))
    .filter((item) => (envStrings ? item.kind !== 'none' : !isEmpty(item)))
  const seq: SeqNode = { kind: 'seq', items, start: node.start, end: node.end }
  tellEmpty(seq, spot, validating)
  checkUnique(seq, type, spot, validating)
  tellEdge(seq, type, spot, validating)
  return seq
}
