import type { Message } from './message.ts'

/** Leaves out messages that say the same as one before them; their spans do not count. */
export function distinct(messages: readonly Message[]): Message[] {
  // Most are alone with their code and value in their line, and need no text.
  const alone = new Map<string, Message | Set<string>>()
  return messages.filter((message) => {
    const { line, code, args } = message
    // A map may have a key `toString`.
    const name = `${line} ${code} ${JSON.stringify(args?.value ?? args?.key)}`
    const others = alone.get(name)
    if (!others) {
      alone.set(name, message)
      return true
    }
    const texts = others instanceof Set ? others : new Set([textOf(others)])
    alone.set(name, texts)
    const text = textOf(message)
    if (texts.has(text)) return false
    texts.add(text)
    return true
  })
}

function textOf({ level, code, key, args, line, src }: Message): string {
  return JSON.stringify([level, code, key, args, line, src])
}
