import type { Message } from '../messages/message.ts'

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

  function add(part: Part, condition: unknown, number: number, type?: string): void {
    const messages = told.get(part) ?? new Map<string, Message>()
    told.set(part, messages)
    const text = typeof condition === 'string' ? condition : JSON.stringify(condition)
    const name = `${type} ${number} ${text}`
    if (messages.size >= mostTold || messages.has(name)) return
    const key = [...places[part], ...(type === undefined ? [] : [type])]
    const args = { ...(type === undefined ? {} : { type }), number, condition }
    messages.set(name, { level: 'info', key, code: `skip_${part}`, args })
  }

  return {
    tell: (part, condition, number = 1) => add(part, condition, number),
    tellNotification: (type, condition) => add('notification', condition, 1, type),
    messages: () =>
      Object.keys(places).flatMap((part) => [...(told.get(part as Part)?.values() ?? [])]),
  }
}
