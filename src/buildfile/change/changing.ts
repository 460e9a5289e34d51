import type { Node } from '../node.ts'
import type { Spot } from '../spot.ts'
import type { Telling } from '../tell.ts'
import type { Type } from '../type.ts'

/** What every step of the change pass is given. */
export interface Changing extends Telling {
  /** Brings a value nearer to its type, from the top down; it is not changed itself. */
  change: (node: Node, type: Type, spot: Spot) => Node
}
