import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { Reporter } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'

/** What every step of the change pass gets. */
export interface Changing extends Reporter {
  /** Brings a value nearer to its type, from the top down; it is not changed itself. */
  change: (node: Node, type: Type, location: Location) => Node
}
