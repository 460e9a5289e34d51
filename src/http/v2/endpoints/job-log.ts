import type { LogPart } from '../../../domain/log.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { partsOfLog } from '../../../store/logs.ts'
import { text } from '../../answer.ts'
import { type Call, get } from '../../endpoint.ts'
import { parseAccept } from '../accept.ts'
import { jobLogForm } from '../log-form.ts'
import { oneJob } from './job.ts'

/** A log has the id of its job (LG-01). Nothing is archived or removed in this version. */
function presentLog(id: number, content: { body: string } | { parts: readonly LogPart[] }) {
  return {
    log: { id, job_id: id, type: 'Log', removed_at: null, removed_by: null, ...content },
  }
}

export const jobLogEndpoints = [
  get(['/jobs/:job/log', '/jobs/:job/logs', '/jobs/:job/log.txt', '/jobs/:job/logs.txt'], {
    ...oneJob,
    right: 'view_log',
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

function formOf(call: Call) {
  const form = isTextPath(call)
    ? 'text'
    : jobLogForm(parseAccept(call.request.headers.accept), false)
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

function partsWanted({ query }: Call) {
  const { after, part_numbers: numbers } = query
  return {
    after: typeof after === 'string' ? Number.parseInt(after, 10) || 0 : undefined,
    numbers:
      typeof numbers === 'string'
        ? numbers.split(',').map((number) => Number.parseInt(number, 10) || 0)
        : undefined,
  }
}
