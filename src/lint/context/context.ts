import type { Outline } from '../../buildfile/expand/plan.ts'
import type { Config, Path } from '../../buildfile/expand/values.ts'
import type { Message } from '../../buildfile/messages/message.ts'
import type { MapNode, Span } from '../../buildfile/tree/node.ts'

/** A build file as rules and fixes see it. */
export interface Context {
  /** The prepared text, which all spans are in. */
  text: string
  /** The file as written. */
  root: MapNode
  /** Its normal form. */
  config: Config
  messages: readonly Message[]
  /** Where the value at a path of the normal form was written. */
  spanOf: (path: Path) => Span | undefined
  /** Where its key was written. */
  keySpanOf: (path: Path) => Span | undefined
  /** The jobs, as if every condition held. */
  plan: () => Outline
  /** What a function makes of this file, computed when it is first needed. */
  once: <T>(make: (context: Context) => T) => T
}
