import { lastPart, type LogPart } from '../../../domain/log.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { type LogPartFilter, partsOfLog } from '../../../store/logs.ts'
import { json, text } from '../../answer.ts'
import { type Call, get } from '../../endpoint.ts'
import { leadingInteger } from '../../leading-integer.ts'
import { listIn } from '../../list-in.ts'
import { anonymousLogs } from '../../rates.ts'
import { accepts, parseAccept } from '../accept.ts'
import { isChunked, jobLogForm, type LogForm } from '../log-form.ts'
import { resourceType } from '../resource-type.ts'
import { oneJob } from './job.ts'

/** A log has the id of its job (LG-01). Nothing is archived or removed in this version. */
function presentLog(id: number, content: { body: string } | { parts: readonly LogPart[] }) {
  const log = { id, job_id: id, type: 'Log', removed_at: null, removed_by: null, ...content }
  // The form is settled: parts are sent as JSON, whatever type was asked for.
  return json({ log }, 200, resourceType)
}

export const jobLogEndpoints = [
  get(['/jobs/:job/log', '/jobs/:job/logs', '/jobs/:job/log.txt', '/jobs/:job/logs.txt'], {
    ...oneJob,
    right: 'view_log',
    negotiates: false,
    rate: anonymousLogs,
    async act(call, { id }) {
      const form = formOf(call)
      const wanted = form === 'parts' ? partsWanted(call) : {}
      return { id, form, parts: await partsOfLog(call.ctx.db, id, wanted) }
    },
    present({ id, form, parts }, call) {
      if (form === 'parts') return presentLog(id, { parts })
      const body = parts.map(({ content }) => content).join('')
      return form === 'json' ? presentLog(id, { body }) : text(body, textHeaders(id, call))
    },
  }),
]

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
