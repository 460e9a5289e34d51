import type { LogPart } from '../../../domain/log/log.ts'
import { time } from '../../../domain/time/api-time.ts'
import type { SeenLog } from '../../../store/repositories/repository-access.ts'
import { escapeSequences } from '../../../terminal/escape-sequences.ts'
import { type Answer, json, stream } from '../../core/answer.ts'
import { type Pages, type ReadLog, textOf, wholeOf } from '../../views/log-pages.ts'
import { resourceType } from '../resource-type.ts'

/** The fields of a log that are shown in addition to its content. */
type LogHead = Pick<SeenLog, 'id' | 'removed_at' | 'removed_by'>

/** The shape of a log in JSON: a body, its parts, or one part for the whole log (D6). */
type Shape = 'body' | 'parts' | 'part'

/** A log as JSON. Its content type does not depend on the requested type. */
export function presentLog(head: LogHead, shape: Shape, log: ReadLog): Answer {
  if ('pages' in log) return stream(written(head, shape, log.pages), resourceType)
  const content = shape === 'parts' ? { parts: log.whole } : asText(shape, textOf(log.whole))
  return json(logObject(head, content), 200, resourceType)
}

function asText(shape: Exclude<Shape, 'parts'>, content: string) {
  if (shape === 'body') return { body: content }
  return { parts: [wholeOf(content)] }
}

/** A log has the id of its job (LG-01). */
export function logObject(
  { id, removed_at, removed_by }: LogHead,
  content: { body: string } | { parts: readonly LogPart[] },
) {
  return {
    log: { id, job_id: id, type: 'Log', removed_at: time(removed_at), removed_by, ...content },
  }
}

/** Streams the same JSON as for a small log: the pages are inserted into the JSON of an empty log. */
async function* written(head: LogHead, shape: Shape, pages: Pages): AsyncGenerator<string> {
  const empty = JSON.stringify(
    logObject(head, shape === 'parts' ? { parts: [] } : asText(shape, '')),
  )
  const end = ends[shape]
  let between = ''
  yield empty.slice(0, -end.length)
  for await (const parts of pages) {
    // Without the quotes or brackets around it.
    yield between + JSON.stringify(shape === 'parts' ? parts : textOf(parts)).slice(1, -1)
    between = shape === 'parts' ? ',' : ''
  }
  yield end
}

/** The JSON after the content. */
const ends: Readonly<Record<Shape, string>> = {
  body: '"}}',
  parts: ']}}',
  part: '","final":true}]}}',
}

const sequences = new RegExp(escapeSequences.join('|'), 'g')

/** Text without escape sequences, and without text that is overwritten after a carriage return. */
export function plainLines(text: string): string {
  return text.split('\n').map(plainLine).join('\n')
}

function plainLine(line: string): string {
  const shown = line.replaceAll(sequences, '')
  // A loop, because a regular expression takes quadratic time for returns before other text.
  let end = shown.length
  while (shown[end - 1] === '\r') end -= 1
  const kept = shown.slice(0, end)
  return kept.slice(kept.lastIndexOf('\r') + 1)
}

/** Variant of `plainLines` for a text in pieces, which can end within a line. */
export async function* plainPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = ''
  for await (const piece of pieces) {
    const end = piece.lastIndexOf('\n') + 1
    if (end > 0) yield plainLines(begun + piece.slice(0, end))
    begun = end > 0 ? piece.slice(end) : begun + piece
  }
  if (begun !== '') yield plainLines(begun)
}
