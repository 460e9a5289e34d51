import type { Message } from '../../messages/message.ts'

/** The paths of parts that a condition can leave out, in the order in which conditions are evaluated. */
const paths = {
  exclude: ['jobs', 'exclude'],
  job: ['jobs', 'include'],
  stage: ['stages'],
  notification: ['notifications'],
  allow_failure: ['jobs', 'allow_failures'],
} as const

type Part = keyof typeof paths

/** No one reads more messages of one kind. */
const maximumMessages = 1000

/** Collects messages about conditions that do not hold, each once. */
export interface Skips {
  /** `number` counts only stages and jobs that may fail; for other parts it is always 1. */
  report(part: Part, condition: unknown, number?: number): void
  reportNotification(type: string, condition: unknown): void
  messages(): Message[]
}

export function skips(): Skips {
  const reported = new Map<Part, Map<string, Message>>()

  function add(part: Part, condition: unknown, number: number, type?: string): void {
    const messages = reported.get(part) ?? new Map<string, Message>()
    reported.set(part, messages)
    const text = typeof condition === 'string' ? condition : JSON.stringify(condition)
    const name = `${type} ${number} ${text}`
    if (messages.size >= maximumMessages || messages.has(name)) return
    const key = [...paths[part], ...(type === undefined ? [] : [type])]
    const args = { ...(type === undefined ? {} : { type }), number, condition }
    messages.set(name, { level: 'info', key, code: `skip_${part}`, args })
  }

  return {
    report: (part, condition, number = 1) => add(part, condition, number),
    reportNotification: (type, condition) => add('notification', condition, 1, type),
    messages: () =>
      Object.keys(paths).flatMap((part) => [...(reported.get(part as Part)?.values() ?? [])]),
  }
}
