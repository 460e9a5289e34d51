import { createHash } from 'node:crypto'
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

/** The first half of the SHA-256 of a job's JSON, whatever the order of its keys. */
export function hashOf(job: unknown): string {
  return createHash('sha256').update(canonical(job)).digest('hex').slice(0, 16)
}

/** Objects put keys that are integers first, so they cannot be sorted by making new ones. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
  return `{${members.join()}}`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}
