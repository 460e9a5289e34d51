import type { Plan } from '../../buildfile/expand/plan.ts'
import type { Config, Path } from '../../buildfile/expand/values.ts'
import type { Message } from '../../buildfile/messages/message.ts'
import type { MapNode, Place } from '../../buildfile/tree/node.ts'

/** A build file as rules and fixes see it. */
export interface Context {
  /** The prepared text, which all places are in. */
  text: string
  /** The file as written. */
  root: MapNode
  /** Its normal form. */
  config: Config
  messages: readonly Message[]
  /** Where the value at a path of the normal form was written. */
  placeOf: (path: Path) => Place | undefined
  /** Where its key was written. */
  keyPlaceOf: (path: Path) => Place | undefined
  /** The jobs, as if every condition held. */
  plan: () => Plan
  /** What a function makes of this file, made when it is first asked for. */
  once: <T>(make: (context: Context) => T) => T
}
