import type { Message } from './message.ts'

/** Leaves out messages that say the same as one before them; their spans do not count. */
export function distinct(messages: readonly Message[]): Message[] {
  const seen = new Set<string>()
  return messages.filter((message) => {
    const text = textOf(message)
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}

function textOf({ level, code, key, args, line, src }: Message): string {
  return JSON.stringify([level, code, key, args, line, src])
}
