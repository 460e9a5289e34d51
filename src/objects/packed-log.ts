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
    members.push([waiting.length, text.length, member.length, hashOf(member)])
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

const hashOf = (member: Buffer) => createHash('sha256').update(member).digest('base64url')

/**
 * The parts that `wants` wants, page by page. Only the members that they are in are read. What someone else wrote
 * into the store is not even decompressed.
 */
export async function* unpackLog(
  { members, parts }: LogLayout,
  wants: (part: number) => boolean,
  get: (range: ByteRange) => Promise<Buffer>,
): AsyncGenerator<readonly LogPart[], undefined> {
  for (const step of stepsOf(members, (from, to) =>
    parts.slice(from, to).some(([number]) => wants(number)),
  )) {
    const text = await textOf(step.members, await get(step.range))
    let at = 0
    const page: LogPart[] = []
    for (const [number, bytes, final] of parts.slice(step.from, step.to)) {
      if (wants(number)) {
        page.push({ number, content: text.toString('utf8', at, at + bytes), final })
      }
      at += bytes
    }
    yield page
  }
}

/** The text of members that lie side by side. Throws if one of them is not what was written. */
async function textOf(members: readonly Member[], body: Buffer): Promise<Buffer> {
  const texts: Buffer[] = []
  let at = 0
  for (const [, bytes, size, hash] of members) {
    const member = body.subarray(at, at + size)
    if (hashOf(member) !== hash) throw new StoreError('an object is not as it was written')
    texts.push(await decompress(member, { maxOutputLength: Math.max(1, bytes) }))
    at += size
  }
  return Buffer.concat(texts)
}

interface Step {
  range: ByteRange
  members: Member[]
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
  for (const member of members) {
    const [count, bytes, size] = member
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
      last.members.push(member)
    } else steps.push({ range, from, to: part, bytes, members: [member] })
  }
  return steps
}
