import type { Message } from '../../buildfile/messages/message.ts'
import type { MessageLevel } from '../../domain/request/request.ts'
import type { Example } from '../example.ts'

export type Args = Readonly<Record<string, unknown>>

/** One code of the reader's messages, for people. */
export interface Entry {
  code: string
  levels: readonly MessageLevel[]
  /** What it means, when it comes up, and what becomes of the build. */
  meaning: string
  /** What is wrong and what to do about it. Names and values stand in double quotes. */
  text: (args: Args, message: Message) => string
  examples: readonly Example[]
}
