import type { Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import type { Telling } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'

/** What every step of the change pass is given. */
export interface Changing extends Telling {
  /** Brings a value nearer to its type, from the top down; it is not changed itself. */
  change: (node: Node, type: Type, spot: Spot) => Node
}
