import type { Outline } from '../../buildfile/expand/plan.ts'
import type { Config, Path } from '../../buildfile/expand/values.ts'
import type { Message } from '../../buildfile/messages/message.ts'
import type { MapNode, Span } from '../../buildfile/tree/node.ts'

/** A build file as rules and fixes see it. */
export interface LintContext {
  /** The prepared text, which all spans are in. */
  text: string
  /** The file as written. */
  root: MapNode
  /** Its normal form. */
  config: Config
  messages: readonly Message[]
  /** The position of the value at a path of the normal form. */
  spanOf: (path: Path) => Span | undefined
  /** The position of the key at a path of the normal form. */
  keySpanOf: (path: Path) => Span | undefined
  /** The jobs, as if every condition held. */
  plan: () => Outline
  /** Result of a function for this file, computed on first use. */
  once: <T>(make: (context: LintContext) => T) => T
}
