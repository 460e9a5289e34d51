import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { Reporter } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'
import { changeAny } from './any.ts'
import type { Changing } from './changing.ts'
import { changeMap } from './map.ts'
import { changeScalar } from './scalar.ts'
import { changeSeq } from './seq.ts'

/** The change pass: what people write in many ways is brought into one. */
export function changeTree(root: Node, type: Type, reporter: Reporter): Node {
  const changing: Changing = { ...reporter, change }
  function change(node: Node, type: Type, location: Location): Node {
    switch (type.kind) {
      case 'any':
        return changeAny(node, type, location, changing)
      case 'map':
        return changeMap(node, type, location, changing)
      case 'seq':
        return changeSeq(node, type, location, changing)
      default:
        return changeScalar(node, type, location, changing)
    }
  }
  return change(root, type, {})
}
