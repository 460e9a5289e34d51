import type { Uncomposed } from '../compose/compose-text.ts'
import type { Message } from './message.ts'

/** The message that a file cannot be read. Only imported files have a `src`. */
export function unreadableMessage({ error, prepared }: Uncomposed, src?: string): Message {
  const { kind, message: problem, hint, at } = error
  return {
    level: 'error',
    key: [],
    code: `${kind}_error`,
    args: { problem, hint },
    line: prepared.lineOf(at),
    at: { start: at, end: at },
    ...(src !== undefined && { src }),
  }
}
