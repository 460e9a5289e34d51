import type { MessageLevel } from '../../domain/request/request.ts'
import type { Span } from '../tree/node.ts'

/** A message from reading a build file. */
export interface Message {
  level: MessageLevel
  /** The path of the map, sequence or scalar that it belongs to; the root is []. */
  key: string[]
  code: string
  args?: Record<string, unknown>
  /** From 0 in the prepared text. */
  line?: number
  /** The span of its subject in the prepared text: the key or the value as written. */
  at?: Span
  /** The file it is about, if that is not the build file itself. */
  src?: string
}
