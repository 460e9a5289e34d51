import { lastPart, type LogPart } from '../../../domain/log.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { type LogPartFilter, readLog } from '../../../store/logs.ts'
import { type Answer, json, stream, text, textType } from '../../answer.ts'
import { type Call, get } from '../../endpoint.ts'
import { leadingInteger } from '../../leading-integer.ts'
import { listIn } from '../../list-in.ts'
import { anonymousLogs } from '../../rates.ts'
import { accepts, parseAccept } from '../accept.ts'
import { isChunked, jobLogForm, type LogForm } from '../log-form.ts'
import { beginReading, type Pages } from '../log-pages.ts'
import { resourceType } from '../resource-type.ts'
import { oneJob } from './job.ts'

export const jobLogEndpoints = [
  get(['/jobs/:job/log', '/jobs/:job/logs', '/jobs/:job/log.txt', '/jobs/:job/logs.txt'], {
    ...oneJob,
    right: 'view_log',
    negotiates: false,
    docs: {
      summary: 'the log of a job',
      types: [textType, resourceType],
      fails: ['not_acceptable'],
    },
    rate: anonymousLogs,
    async act(call, { id }) {
      const form = formOf(call)
      const wanted = form === 'parts' ? partsWanted(call) : {}
      return { id, form, log: await beginReading(readLog(call.ctx.db, id, wanted)) }
    },
    present({ id, form, log }, call) {
      const headers = form === 'text' ? textHeaders(id, call) : {}
      return 'whole' in log
        ? wholeLog(id, form, log.whole, headers)
        : stream(written(id, form, log.pages), types[form], headers)
    },
  }),
]

// The form is settled: JSON is sent as such, whatever type was asked for.
const types = { text: textType, json: resourceType, parts: resourceType }

function wholeLog(
  id: number,
  form: LogForm,
  parts: readonly LogPart[],
  headers: Record<string, string>,
): Answer {
  if (form === 'text') return text(textOf(parts), headers)
  return json(
    presentLog(id, form === 'json' ? { body: textOf(parts) } : { parts }),
    200,
    types.json,
  )
}

/** A log has the id of its job (LG-01). Nothing is archived or removed in this version. */
function presentLog(id: number, content: { body: string } | { parts: readonly LogPart[] }) {
  return { log: { id, job_id: id, type: 'Log', removed_at: null, removed_by: null, ...content } }
}

/** The same bytes, page by page: what is empty in an empty log is filled with the pages. */
async function* written(id: number, form: LogForm, pages: Pages): AsyncGenerator<string> {
  if (form === 'text') {
    for await (const parts of pages) yield textOf(parts)
    return
  }
  const empty = JSON.stringify(presentLog(id, form === 'json' ? { body: '' } : { parts: [] }))
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

const textOf = (parts: readonly LogPart[]) => parts.map(({ content }) => content).join('')

function formOf(call: Call): LogForm {
  const accepted = parseAccept(call.request.headers.accept)
  const form = isTextPath(call)
    ? accepted.some((entry) => accepts(entry, 'text/plain')) && 'text'
    : jobLogForm(accepted, false)
  if (!form) throw notAcceptable()
  return form
}

function isTextPath({ request }: Call): boolean {
  return request.routeOptions.url?.endsWith('.txt') ?? false
}

function textHeaders(id: number, call: Call): Record<string, string> {
  const disposition = 'attachment' in call.query ? 'attachment' : 'inline'
  return {
    'content-disposition': `${disposition}; filename="${id}"`,
    'x-content-type-options': 'nosniff',
    ...(isTextPath(call) ? { 'x-robots-tag': 'noindex, noarchive, nosnippet' } : {}),
  }
}

/** Which parts are wanted: from the query, or from the parameters of `chunked`. */
function partsWanted({ query, request }: Call): LogPartFilter {
  const params = parseAccept(request.headers.accept).find(isChunked)?.params
  const after = query.after ?? params?.get('after')
  const numbers = query.part_numbers ?? params?.get('part_numbers')
  return {
    after: after === undefined ? undefined : leadingInteger(after, lastPart),
    numbers:
      numbers === undefined
        ? undefined
        : listIn(numbers).map((number) => leadingInteger(number, lastPart)),
  }
}
