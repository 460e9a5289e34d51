/** A response that is not plain JSON with status 200. */
export type Answer =
  | { answer: 'text'; text: string; headers?: Record<string, string> }
  | { answer: 'html'; html: string; status?: number }
  | { answer: 'json'; body: unknown; status?: number; type?: string }
  | { answer: 'written'; json: Uint8Array }
  | { answer: 'redirect'; path: string }

const answers = new WeakSet<object>()

function make<T extends Answer>(answer: T): T {
  answers.add(answer)
  return answer
}

export const text = (content: string, headers: Record<string, string> = {}) =>
  make({ answer: 'text', text: content, headers })
export const html = (content: string, status = 200) =>
  make({ answer: 'html', html: content, status })
export const json = (body: unknown, status = 200, type?: string) =>
  make({ answer: 'json', body, status, ...(type === undefined ? {} : { type }) })

/** JSON that is in bytes already. */
export const writtenJson = (bytes: Uint8Array) => make({ answer: 'written', json: bytes })

/** To another path of this service, for now: a name may be given to something else later. */
export const redirect = (path: string) => make({ answer: 'redirect', path })

/** Whether a value comes from one of the functions above, and is not just JSON of that shape. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && answers.has(value)
}
