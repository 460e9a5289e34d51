import type { Message } from './message.ts'

/** Leaves out messages that say the same as one before them; where they point does not count. */
export function distinct(messages: readonly Message[]): Message[] {
  const said = new Set<string>()
  return messages.filter((message) => {
    const text = textOf(message)
    if (said.has(text)) return false
    said.add(text)
    return true
  })
}

function textOf({ level, code, key, args, line, src }: Message): string {
  return JSON.stringify([level, code, key, args, line, src])
}
