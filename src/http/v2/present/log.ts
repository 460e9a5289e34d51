import { type LogPart, wholePart } from '../../../domain/log/log.ts'
import type { SeenLog } from '../../../store/seen.ts'
import { type Answer, json, stream, text, textType } from '../../answer.ts'
import { time } from '../../time.ts'
import { type Pages, type ReadLog, textOf, textsOf } from '../../log-pages.ts'
import { plainLines, plainPieces } from '../plain-lines.ts'
import { resourceType } from '../resource-type.ts'

/** What is shown of a log besides what it contains. */
type LogHead = Pick<SeenLog, 'id' | 'removed_at' | 'removed_by'>

/** A log as text, `plain` without the codes of terminals. */
export function presentText(
  log: ReadLog,
  { plain, headers }: { plain: boolean; headers: Record<string, string> },
): Answer {
  if ('whole' in log) {
    const whole = textOf(log.whole)
    return text(plain ? plainLines(whole) : whole, headers)
  }
  const pieces = textsOf(log.pages)
  return stream(plain ? plainPieces(pieces) : pieces, textType, headers)
}

/** What a log is in JSON: a body, its parts, or the one part that stands for the whole (D6). */
type Shape = 'body' | 'parts' | 'part'

/** A log as JSON, which is sent as such, whatever type was asked for. */
export function presentLog(head: LogHead, shape: Shape, log: ReadLog): Answer {
  if ('pages' in log) return stream(written(head, shape, log.pages), resourceType)
  const content = shape === 'parts' ? { parts: log.whole } : asText(shape, textOf(log.whole))
  return json(logObject(head, content), 200, resourceType)
}

function asText(shape: Exclude<Shape, 'parts'>, content: string) {
  if (shape === 'body') return { body: content }
  return { parts: [{ number: wholePart, content, final: true }] }
}

/** A log has the id of its job (LG-01). Nothing is archived in this version. */
export function logObject(
  { id, removed_at, removed_by }: LogHead,
  content: { body: string } | { parts: readonly LogPart[] },
) {
  return {
    log: { id, job_id: id, type: 'Log', removed_at: time(removed_at), removed_by, ...content },
  }
}

/** The same bytes, page by page: what is empty in an empty log is filled with the pages. */
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

/** What follows the content. */
const ends: Readonly<Record<Shape, string>> = {
  body: '"}}',
  parts: ']}}',
  part: '","final":true}]}}',
}
