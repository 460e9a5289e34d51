import type { Node } from '../tree/node.ts'
import type { Location } from '../tree/location.ts'
import type { Reporter } from '../messages/report.ts'
import type { Type } from '../value-types/type.ts'

/** What every step of the validate pass gets. */
export interface Validating extends Reporter {
  /** From the bottom up; returns the value without what must not stay. */
  validate: (node: Node, type: Type, location: Location) => Node
  /** Keys that stand before anchors. */
  anchorNames: ReadonlySet<string>
  /** The version of the language of conditions. */
  conditions: 'v0' | 'v1'
  /** Names that must be unique in the build, as far as they are used. */
  usedNames: Set<string>
}
