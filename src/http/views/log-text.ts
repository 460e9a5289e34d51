import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { LogSize } from '../../store/jobs/logs.ts'
import { knownTag, tagsOf } from '../caching/entity-tag.ts'
import { type Answer, ranged, stream, textType, unchanged, withHeaders } from '../core/answer.ts'
import { type ReadLog, textOf, textsOf } from './log-pages.ts'

/** Conversion of the log's text, such as removal of terminal codes. */
export interface Written {
  whole(text: string): string
  pieces(pieces: AsyncIterable<string>): AsyncIterable<string>
}

const asItIs: Written = { whole: (text) => text, pieces: (pieces) => pieces }

/** The text of a log as it is now: the text itself if it is small, else pieces that are read while they are sent. */
export type LogText =
  | { content: Buffer | AsyncIterable<string>; bytes: number; etag: string }
  // The length of a large text that is written in another form is known only at its end.
  | { content: AsyncIterable<string>; bytes: null }

/** Measures the text of a log. Of a large one, `size` finds the length without reading the text. */
export async function measureText(
  read: ReadLog,
  size: () => Promise<LogSize>,
  { whole, pieces }: Written = asItIs,
): Promise<LogText> {
  if ('whole' in read) {
    const content = Buffer.from(whole(textOf(read.whole)))
    return { content, bytes: content.length, etag: tagOf(content) }
  }
  const content = pieces(textsOf(read.pages))
  if (pieces !== asItIs.pieces) return { content, bytes: null }
  const { bytes, version } = await size()
  return { content, bytes, etag: tagOf(version) }
}

function tagOf(content: Buffer | string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

interface TextOptions {
  headers: Record<string, string>
  /** Whether more can follow: the total length is then unknown. */
  grows: boolean
}

/**
 * The text of a log, or the range of it that the call asks for: ranges count in the plain text, which is why they
 * are never compressed. The tag changes with the content, so a copy of a log that grew, was masked, removed or
 * written anew is never taken for the newest.
 */
export function textAnswer(
  { headers: asked }: Pick<FastifyRequest, 'headers'>,
  text: LogText,
  { headers, grows }: TextOptions,
): Answer {
  if (text.bytes === null) return stream(text.content, textType, headers)
  const { content, bytes, etag } = text
  const known = knownTag(asked['if-none-match'], tagsOf(etag))
  if (known !== undefined) return withHeaders(unchanged(), { ...headers, etag: known })
  const common = { ...headers, etag, 'accept-ranges': 'bytes' }
  const ifRange = asked['if-range']
  const range = ifRange === undefined || ifRange === etag ? rangeIn(asked.range, bytes) : undefined
  if (range === 'beyond') {
    return withHeaders(ranged(Buffer.alloc(0), { status: 416, bytes: 0 }), {
      ...common,
      'content-range': `bytes */${bytes}`,
    })
  }
  const { from, to } = range ?? { from: 0, to: bytes }
  const body = Buffer.isBuffer(content) ? content.subarray(from, to) : sliced(content, from, to)
  if (!range) return withHeaders(ranged(body, { status: 200, bytes }), common)
  return withHeaders(ranged(body, { status: 206, bytes: to - from }), {
    ...common,
    'content-range': `bytes ${from}-${to - 1}/${grows ? '*' : bytes}`,
  })
}

/** The bytes from `from` until before `to`. Several ranges and malformed ranges are ignored. */
function rangeIn(
  header: string | undefined,
  bytes: number,
): { from: number; to: number } | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const from = Math.max(0, bytes - Number(last))
    return from < bytes ? { from, to: bytes } : 'beyond'
  }
  const from = Number(first)
  const to = last === '' ? bytes : Math.min(bytes, Number(last) + 1)
  if (last !== '' && Number(last) < from) return undefined
  return from < bytes ? { from, to } : 'beyond'
}

async function* sliced(
  pieces: AsyncIterable<string>,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece)
    const wanted = bytes.subarray(Math.max(0, from - at), Math.max(0, to - at))
    if (wanted.length > 0) yield wanted
    at += bytes.length
    if (at >= to) return
  }
}
