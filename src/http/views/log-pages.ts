import { isFinished } from '../../domain/job/job.ts'
import { type LogPart, wholePart } from '../../domain/log/log.ts'
import type { SeenLog } from '../../store/repositories/repository-access.ts'

/**
 * Whether a log is shown as a single part, because it no longer grows (D6). The last output of a canceled
 * job follows its end.
 */
export function isComplete(log: Pick<SeenLog, 'state' | 'log_ended'>): boolean {
  return isFinished(log) && log.log_ended
}

export type Pages = AsyncGenerator<readonly LogPart[], void>

/** A log to send: as a whole if it is small, otherwise while it is read. */
export type ReadLog = { whole: readonly LogPart[] } | { pages: Pages }

/** Characters up to which a log is sent as a whole, with its length. */
const mostWhole = 1024 * 1024

/** Reads a log to its end, or until it is too large to be sent as a whole. */
export async function beginReading(pages: Pages): Promise<ReadLog> {
  const read: LogPart[] = []
  let length = 0
  while (length <= mostWhole) {
    const { value, done } = await pages.next()
    if (done) return { whole: read }
    read.push(...value)
    length += value.reduce((sum, { content }) => sum + content.length, 0)
  }
  return { pages: continued(read, pages) }
}

async function* continued(read: readonly LogPart[], pages: Pages): Pages {
  yield read
  yield* pages
}

/** The single part that represents a finished log (D6). */
export const wholeOf = (content: string): LogPart => ({ number: wholePart, content, final: true })

export const textOf = (parts: readonly LogPart[]) => parts.map(({ content }) => content).join('')

export async function* textsOf(pages: Pages): AsyncGenerator<string> {
  for await (const parts of pages) yield textOf(parts)
}
