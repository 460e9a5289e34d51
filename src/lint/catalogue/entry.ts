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
  /** What is wrong and what to do about it. Names and values stand in double quotes. */
  text: (args: Args, message: Message) => string
  examples: readonly Example[]
}
