import type { Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import type { Telling } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'
import { changeAny } from './any.ts'
import type { Changing } from './changing.ts'
import { changeMap } from './map.ts'
import { changeScalar } from './scalar.ts'
import { changeSeq } from './seq.ts'

/** The change pass (section 4): what people write in many ways is brought into one. */
export function changeTree(root: Node, type: Type, telling: Telling): Node {
  const changing: Changing = { ...telling, change }
  function change(node: Node, type: Type, spot: Spot): Node {
    switch (type.kind) {
      case 'any':
        return changeAny(node, type, spot, changing)
      case 'map':
        return changeMap(node, type, spot, changing)
      case 'seq':
        return changeSeq(node, type, spot, changing)
      default:
        return changeScalar(node, type, spot, changing)
    }
  }
  return change(root, type, {})
}
