import { type Cookie, cookieText } from './cookie.ts'

/** What is sent, and how. */
type Content =
  | { answer: 'text'; text: string }
  | { answer: 'html'; html: string; status?: number }
  | { answer: 'json'; body: unknown; status?: number; type?: string }
  | { answer: 'written'; json: Uint8Array }
  | { answer: 'bytes'; bytes: Uint8Array; type: string }
  | { answer: 'stream'; chunks: AsyncIterable<string>; type: string }
  | { answer: 'empty' }
  | { answer: 'unchanged' }
  | { answer: 'redirect'; location: string; status: RedirectStatus }

/** What each of them can carry besides. */
interface Extras {
  headers?: Readonly<Record<string, string>>
  /** As values of `Set-Cookie`. */
  cookies?: readonly string[]
}

/** A response that is not plain JSON with status 200. */
export type Answer = Content & Extras

/** Moved for good, for now, `see other`, or for now with the same method. */
type RedirectStatus = 301 | 302 | 303 | 307

export const textType = 'text/plain;charset=utf-8'
export const htmlType = 'text/html;charset=utf-8'

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

/** Any other content that is in bytes, such as an image. */
export const content = (bytes: Uint8Array, type: string) => make({ answer: 'bytes', bytes, type })

/**
 * Content that is read while it is sent, no faster than the client takes it. When the client leaves,
 * the iterator is returned; when reading fails, the connection is closed, so that no one takes the
 * beginning for the whole.
 */
export const stream = (
  chunks: AsyncIterable<string>,
  type: string,
  headers: Record<string, string> = {},
) => make({ answer: 'stream', chunks, type, headers })

/** Done, with nothing to send. */
export const noContent = () => make({ answer: 'empty' })

/** The client has it already. */
export const unchanged = () => make({ answer: 'unchanged' })

export const isUnchangedAnswer = (value: unknown) => isAnswer(value) && value.answer === 'unchanged'

/** To a path of this service, with its prefix, or to a whole URL. For now, if nothing else is said. */
export const redirect = (location: string, status: RedirectStatus = 302) =>
  make({ answer: 'redirect', location, status })

export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return make({ ...answer, headers: { ...answer.headers, ...headers } })
}

export function withCookie(answer: Answer, cookie: Cookie): Answer {
  return make({ ...answer, cookies: [...(answer.cookies ?? []), cookieText(cookie)] })
}

/**
 * A successful response in JSON, with these members before its own if it is an object; of one that is
 * streamed they are laid out with as many spaces as the rest.
 */
export function withMembers(answer: Answer, members: object, indent = 0): Answer {
  if (Object.keys(members).length === 0) return answer
  if (answer.answer === 'stream' && /\bjson\b/.test(answer.type)) {
    return make({ ...answer, chunks: joinedChunks(members, answer.chunks, indent) })
  }
  if (answer.answer === 'written') return make({ ...answer, json: joined(members, answer.json) })
  if (answer.answer !== 'json' || (answer.status ?? 200) >= 400) return answer
  const { body } = answer
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return answer
  return make({ ...answer, body: { ...members, ...body } })
}

/** The members of an object and of another one in bytes, which has at least one. */
function joined(members: object, json: Uint8Array): Uint8Array {
  const first = JSON.stringify(members).slice(0, -1)
  return Buffer.concat([Buffer.from(`${first},`), json.subarray(1)])
}

/** The same of an object that is streamed, whose first chunk begins with its first member. */
async function* joinedChunks(members: object, chunks: AsyncIterable<string>, indent: number) {
  const first = JSON.stringify(members, null, indent).replace(/\s*\}$/, '')
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst ? `${first},${chunk.slice(1)}` : chunk
    isFirst = false
  }
}

/** Whether a value comes from one of the functions above, and is not just JSON of that shape. */
export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && answers.has(value)
}
