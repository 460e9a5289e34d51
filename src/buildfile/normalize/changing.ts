import type { Reporter } from '../messages/report.ts'
import type { Type } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'

/** The context of every step of the change pass. */
export interface Changing extends Reporter {
  /** Brings a value closer to its type, from the top down, without modifying the node. */
  change: (node: Node, type: Type, location: Location) => Node
}
