import type { Message } from '../message.ts'

/** Where the parts stand that a condition can leave out, in the order in which they are decided. */
const places = {
  exclude: ['jobs', 'exclude'],
  job: ['jobs', 'include'],
  stage: ['stages'],
  notification: ['notifications'],
  allow_failure: ['jobs', 'allow_failures'],
} as const

type Part = keyof typeof places

/** Nobody reads more of one kind. */
const mostTold = 1000

/** Collects what is told about conditions that do not hold, each thing once. */
export interface Skips {
  /** Only stages and jobs that may fail are counted; of other parts the number is always 1. */
  tell(part: Part, condition: unknown, number?: number): void
  tellNotification(type: string, condition: unknown): void
  messages(): Message[]
}

export function skips(): Skips {
  const told = new Map<Part, Map<string, Message>>()

  function add(part: Part, key: readonly string[], args: Record<string, unknown>): void {
    const messages = told.get(part) ?? new Map<string, Message>()
    told.set(part, messages)
    if (messages.size >= mostTold) return
    const message: Message = { level: 'info', key: [...key], code: `skip_${part}`, args }
    messages.set(JSON.stringify([key, args]), message)
  }

  return {
    tell: (part, condition, number = 1) => add(part, places[part], { number, condition }),
    tellNotification: (type, condition) =>
      add('notification', [...places.notification, type], { type, number: 1, condition }),
    messages: () =>
      Object.keys(places).flatMap((part) => [...(told.get(part as Part)?.values() ?? [])]),
  }
}
