import type { Reporter } from '../messages/report.ts'
import type { Type } from '../schema/values/type.ts'
import type { Location } from '../tree/location.ts'
import type { Node } from '../tree/node.ts'

/** The context of every step of the validate pass. */
export interface Validating extends Reporter {
  /** Works from the bottom up; returns the value without dropped parts. */
  validate: (node: Node, type: Type, location: Location) => Node
  /** Keys that precede anchors. */
  anchorNames: ReadonlySet<string>
  /** The version of the language of conditions. */
  conditions: 'v0' | 'v1'
  /** Names used so far that must be unique in the build. */
  usedNames: Set<string>
}
