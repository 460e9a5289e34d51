import type { Message } from '../../buildfile/messages/message.ts'
import type { MessageLevel } from '../../domain/request/request.ts'
import type { Example } from '../example.ts'

export type Args = Readonly<Record<string, unknown>>

/** One message code of the reader, described for people. */
export interface CatalogueEntry {
  code: string
  levels: readonly MessageLevel[]
  /** What the message means, when it occurs, and its effect on the build. */
  meaning: string
  /** The problem and the remedy. Names and values are in double quotes. */
  text: (args: Args, message: Message) => string
  examples: readonly Example[]
}
