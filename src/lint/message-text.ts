import type { Message } from '../buildfile/messages/message.ts'
import { catalogue } from './catalogue/index.ts'
import { shownArgs } from './without-values.ts'

const entries = new Map(catalogue.map((entry) => [entry.code, entry]))

/** The text of a message for people, without its level and path (D9). */
export function messageText(message: Message): string {
  const entry = entries.get(message.code)
  if (!entry) throw new Error(`no message has the code ${message.code}`)
  return entry.text(shownArgs(message), message)
}
