import type { LogPart } from '../../../domain/log.ts'
import type { SeenLog } from '../../../store/seen.ts'
import { type Answer, json, stream, text, textType } from '../../answer.ts'
import { time } from '../../time.ts'
import type { LogForm } from '../log-form.ts'
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

/** A log as JSON, which is sent as such, whatever type was asked for. */
export function presentLog(head: LogHead, form: Exclude<LogForm, 'text'>, log: ReadLog): Answer {
  if ('pages' in log) return stream(written(head, form, log.pages), resourceType)
  const content = form === 'json' ? { body: textOf(log.whole) } : { parts: log.whole }
  return json(logObject(head, content), 200, resourceType)
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
async function* written(
  head: LogHead,
  form: Exclude<LogForm, 'text'>,
  pages: Pages,
): AsyncGenerator<string> {
  const empty = JSON.stringify(logObject(head, form === 'json' ? { body: '' } : { parts: [] }))
  const isBody = form === 'json'
  let between = ''
  yield empty.slice(0, -ends)
  for await (const parts of pages) {
    // Without the quotes or brackets around it.
    yield between + JSON.stringify(isBody ? textOf(parts) : parts).slice(1, -1)
    between = isBody ? '' : ','
  }
  yield empty.slice(-ends)
}

/** Of `"}}`, and of `]}}`. */
const ends = 3
