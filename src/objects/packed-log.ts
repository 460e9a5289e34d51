import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { LogLayout, LogPart, Member, PackedPart } from '../domain/log/log.ts'
import { type ByteRange, StoreError } from './objects.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Bytes of text after which a member of the compressed text ends. A member has whole parts. */
const memberBytes = 256 * 1024

/** Bytes of text that are read at once. */
const stepBytes = 1024 * 1024

export interface PackedLog {
  layout: LogLayout
  /** gzip members, one after the other: together the compressed text of the log. */
  body: Buffer<ArrayBuffer>
  /** Bytes of the text. */
  bytes: number
  /** Hash of the text, in hex. */
  sha256: string
}

/** Compresses the parts of a log, in their order. */
export async function packLog(pages: AsyncIterable<readonly LogPart[]>): Promise<PackedLog> {
  const hash = createHash('sha256')
  const members: Member[] = []
  const parts: PackedPart[] = []
  const body: Buffer[] = []
  let waiting: Buffer[] = []
  let bytes = 0
  const close = async () => {
    if (waiting.length === 0) return
    const text = Buffer.concat(waiting)
    const member = await compress(text)
    members.push([waiting.length, text.length, member.length])
    body.push(member)
    waiting = []
    bytes = 0
  }
  for await (const page of pages) {
    for (const { number, content, final } of page) {
      const text = Buffer.from(content)
      hash.update(text)
      parts.push([number, text.length, final])
      waiting.push(text)
      bytes += text.length
      if (bytes >= memberBytes) await close()
    }
  }
  await close()
  return {
    layout: { members, parts },
    body: Buffer.concat(body),
    bytes: members.reduce((sum, [, length]) => sum + length, 0),
    sha256: hash.digest('hex'),
  }
}

/** Hash of the text of an object, in hex, as `packLog` makes it. Throws if the object is damaged. */
export async function hashOf(body: Buffer): Promise<string> {
  const text = body.length === 0 ? body : await decompress(body)
  return createHash('sha256').update(text).digest('hex')
}

/** The parts that `wants` wants, page by page. Only the members that they are in are read. */
export async function* unpackLog(
  { members, parts }: LogLayout,
  wants: (part: number) => boolean,
  get: (range: ByteRange) => Promise<Buffer>,
): AsyncGenerator<readonly LogPart[], undefined> {
  for (const step of stepsOf(members, (from, to) =>
    parts.slice(from, to).some(([number]) => wants(number)),
  )) {
    const body = await get(step.range)
    const text = await decompress(body).catch((error: unknown) => {
      throw new StoreError('an object was damaged', error)
    })
    let at = 0
    const page: LogPart[] = []
    for (const [number, bytes, final] of parts.slice(step.from, step.to)) {
      if (wants(number)) {
        page.push({ number, content: text.toString('utf8', at, at + bytes), final })
      }
      at += bytes
    }
    if (at !== text.length) throw new StoreError('an object has another length than was written')
    yield page
  }
}

interface Step {
  range: ByteRange
  /** Indexes of the first part, and after the last. */
  from: number
  to: number
}

/** Members that are wanted and lie side by side are read together, up to `stepBytes` of text. */
function stepsOf(
  members: readonly Member[],
  isWanted: (from: number, to: number) => boolean,
): Step[] {
  const steps: (Step & { bytes: number })[] = []
  let part = 0
  let start = 0
  for (const [count, bytes, size] of members) {
    const from = part
    const range = { start, end: start + size }
    part += count
    start += size
    if (!isWanted(from, part)) continue
    const last = steps.at(-1)
    if (last && last.to === from && last.bytes + bytes <= stepBytes) {
      last.range.end = range.end
      last.to = part
      last.bytes += bytes
    } else steps.push({ range, from, to: part, bytes })
  }
  return steps
}
