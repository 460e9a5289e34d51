import type { Node } from '../tree/node.ts'
import type { Spot } from '../tree/location.ts'
import type { Telling } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'

/** What every step of the validate pass is given. */
export interface Validating extends Telling {
  /** From the bottom up; gives the value without what must not stay. */
  validate: (node: Node, type: Type, spot: Spot) => Node
  /** Keys that stand before anchors. */
  anchorNames: ReadonlySet<string>
  /** The version of the language of conditions. */
  conditions: 'v0' | 'v1'
  /** Names that must be unique in the build, as far as they are used. */
  usedNames: Set<string>
}
