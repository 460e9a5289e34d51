import { type Cookie, cookieText } from '../identity/cookie.ts'

/** Content of a response, by how it is sent. */
type Content =
  | { answer: 'text'; text: string }
  | { answer: 'html'; html: string; status?: number }
  | { answer: 'json'; body: unknown; status?: number; type?: string }
  | { answer: 'written'; json: Uint8Array }
  | { answer: 'bytes'; bytes: Uint8Array; type: string }
  | { answer: 'stream'; chunks: AsyncIterable<string>; type: string }
  | { answer: 'ranged'; body: Ranged; status: 200 | 206 | 416; bytes: number }
  | { answer: 'empty' }
  | { answer: 'unchanged' }
  | { answer: 'redirect'; location: string; status: RedirectStatus }

/** Bytes of text that are there, or are read while they are sent. */
type Ranged = Buffer | AsyncIterable<Buffer>

/** Headers and cookies, which every answer can carry. */
interface Extras {
  headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
}

/** A response that is not plain JSON with status 200. */
export type Answer = Content & Extras

/** Permanent, temporary, `see other`, or temporary with the same method. */
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

/** JSON already encoded as bytes. */
export const writtenJson = (bytes: Uint8Array) => make({ answer: 'written', json: bytes })

/** Other content as bytes, such as an image. */
export const content = (bytes: Uint8Array, type: string) => make({ answer: 'bytes', bytes, type })

/**
 * Content read while it is sent, no faster than the client consumes it. If the client disconnects,
 * `return` is called on the iterator; if reading fails, the connection is closed, so that a partial body
 * does not look complete.
 */
export const stream = (
  chunks: AsyncIterable<string>,
  type: string,
  headers: Record<string, string> = {},
) => make({ answer: 'stream', chunks, type, headers })

/** Plain text of known length: all of it, or a range. It is read and ended like a stream. */
export const ranged = (
  body: Ranged,
  { status, bytes }: { status: 200 | 206 | 416; bytes: number },
) => make({ answer: 'ranged', body, status, bytes })

/** Success without a body. */
export const noContent = () => make({ answer: 'empty' })

/** The client's copy is current. */
export const unchanged = () => make({ answer: 'unchanged' })

export const isUnchangedAnswer = (value: unknown) => isAnswer(value) && value.answer === 'unchanged'

/** Redirect to a path of this service, with its prefix, or to a full URL. Temporary by default. */
export const redirect = (location: string, status: RedirectStatus = 302) =>
  make({ answer: 'redirect', location, status })

export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return make({ ...answer, headers: { ...answer.headers, ...headers } })
}

export function withCookie(answer: Answer, cookie: Cookie): Answer {
  return make({ ...answer, cookies: [...(answer.cookies ?? []), cookieText(cookie)] })
}

/**
 * A successful JSON response, with these members before its own if it is an object. In a streamed
 * response they are indented by `indent` spaces, like the rest.
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

/** Prepends members to a JSON object in bytes, which has at least one member. */
function joined(members: object, json: Uint8Array): Uint8Array {
  const first = JSON.stringify(members).slice(0, -1)
  return Buffer.concat([Buffer.from(`${first},`), json.subarray(1)])
}

/** Prepends members to a streamed JSON object, whose first chunk contains its first member. */
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
