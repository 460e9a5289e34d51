import type { Message } from '../../src/buildfile/messages/message.ts'

/** What the corpus says of a file that can be read. */
export interface Expected {
  name: string
  messages: Message[]
  config: Record<string, unknown>
}

/** Messages in their order, without their places; the normal form with its keys in any order. */
export function comparable({ messages, config }: Pick<Expected, 'messages' | 'config'>) {
  return { messages: messages.map(({ at: _at, ...told }) => sorted(told)), config: sorted(config) }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}
