/** What an endpoint answers when it is not JSON. */
export type Answer =
  | { answer: 'text'; text: string; headers?: Record<string, string> }
  | { answer: 'html'; html: string; status?: number }
  | { answer: 'json'; body: unknown; status?: number; type?: string }

const made = new WeakSet<object>()

function make<T extends Answer>(answer: T): T {
  made.add(answer)
  return answer
}

export const text = (content: string, headers: Record<string, string> = {}) =>
  make({ answer: 'text', text: content, headers })
export const html = (content: string, status = 200) =>
  make({ answer: 'html', html: content, status })
export const json = (body: unknown, status = 200, type?: string) =>
  make({ answer: 'json', body, status, ...(type === undefined ? {} : { type }) })

/** Whether a value was made by one of the functions above, and is not just JSON that looks so. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && made.has(value)
}
