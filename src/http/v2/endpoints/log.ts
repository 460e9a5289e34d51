import { logRights as rights } from '../../../access/build-rights.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { lastPart } from '../../../domain/log.ts'
import { removeLog } from '../../../flow/remove-log.ts'
import { type LogPartFilter, readLog } from '../../../store/logs.ts'
import type { SeenLog } from '../../../store/seen.ts'
import { actorOf } from '../../actor.ts'
import { withHeaders } from '../../answer.ts'
import { crossOrigin } from '../../cross-origin.ts'
import { type Call, get, patch } from '../../endpoint.ts'
import { leadingInteger } from '../../leading-integer.ts'
import { listIn } from '../../list-in.ts'
import { findLog, refusalOfLog } from '../../log-access.ts'
import { integerPrefix, text } from '../../parameters/kinds.ts'
import { anonymousLogs } from '../../rates.ts'
import { isTextPath } from '../../text-path.ts'
import { accepts, parseAccept } from '../accept.ts'
import { isChunked, jobLogForm, type LogForm, logForm } from '../log-form.ts'
import { beginReading, type ReadLog } from '../../log-pages.ts'
import { logTokenFor } from '../../log-token.ts'
import { logObject, presentLog, presentText } from '../present/log.ts'
import { refusals } from '../refusals.ts'

const jobPaths = ['/jobs/:job/log', '/jobs/:job/logs']

const ofJob = { type: 'job', logOf: 'job', find: (call: Call) => findLog(call, 'job'), rights }

const byId = { type: 'log', logOf: 'log', find: (call: Call) => findLog(call, 'log'), rights }

/** How a log is read, in the form that `formOf` chooses. */
const reading = (formOf: (call: Call) => LogForm | undefined) => ({
  right: 'view_log' as const,
  negotiates: false,
  rate: anonymousLogs,
  accepts: { attempt: integerPrefix(lastPart) },
  async act(call: Call, log: SeenLog, { attempt }: { attempt: number | undefined }) {
    const refusal = refusalOfLog(call, log)
    if (refusal) throw refusal
    const form = formOf(call)
    if (!form) throw notAcceptable()
    const wanted = { attempt, ...(form === 'parts' ? partsWanted(call) : { joined: true }) }
    return { log, form, read: await beginReading(readLog(call.ctx.db, log.id, wanted)) }
  },
  present({ log, form, read }: { log: SeenLog; form: LogForm; read: ReadLog }, call: Call) {
    const answer =
      form === 'text'
        ? presentText(read, { plain: 'deansi' in call.query, headers: textHeaders(log, call) })
        : presentLog(log, form, read)
    return withHeaders(answer, tokenHeaders(logTokenFor(call, log)))
  },
})

/** Headers that a client can read a log with that not everyone can read. */
function tokenHeaders(token: string | undefined): Record<string, string> {
  if (token === undefined) return {}
  const exposed = ['Location', ...crossOrigin.exposedHeaders.slice(0, -1), 'X-Log-Access-Token']
  return {
    'x-log-access-token': token,
    'access-control-expose-headers': [...exposed, 'X-Request-ID'].join(', '),
  }
}

const removing = {
  login: true,
  scope: 'settings' as const,
  right: 'delete_log' as const,
  // Not 403, which clients take for an invalid token.
  refused: () => refusals.unauthorized('insufficient permission to remove logs'),
  accepts: { reason: text() },
  async act(call: Call, log: SeenLog, { reason }: { reason: string | undefined }) {
    const removed = await removeLog(call.ctx, actorOf(call), log, reason)
    return logObject({ id: log.id, ...removed }, { body: removed.text })
  },
  present: (removed: ReturnType<typeof logObject>) => removed,
}

export const logEndpoints = [
  get([...jobPaths, '/jobs/:job/log.txt', '/jobs/:job/logs.txt'], {
    ...ofJob,
    ...reading((call) =>
      isTextPath(call.request) ? textForm(call) : jobLogForm(acceptedBy(call), false),
    ),
  }),
  get('/logs/:log', { ...byId, ...reading((call) => logForm(acceptedBy(call))) }),
  patch(jobPaths, { ...ofJob, ...removing }),
  patch('/logs/:log', { ...byId, ...removing }),
]

const acceptedBy = ({ request }: Call) => parseAccept(request.headers.accept)

function textForm(call: Call): LogForm | undefined {
  return acceptedBy(call).some((entry) => accepts(entry, 'text/plain')) ? 'text' : undefined
}

function textHeaders({ id }: SeenLog, call: Call): Record<string, string> {
  const disposition = 'attachment' in call.query ? 'attachment' : 'inline'
  return {
    'content-disposition': `${disposition}; filename="${id}"`,
    'x-content-type-options': 'nosniff',
    ...(isTextPath(call.request) ? { 'x-robots-tag': 'noindex, noarchive, nosnippet' } : {}),
  }
}

/** Which parts are wanted: from the query, or from the parameters of `chunked`. */
function partsWanted(call: Call): LogPartFilter {
  const params = acceptedBy(call).find(isChunked)?.params
  const after = call.query.after ?? params?.get('after')
  const numbers = call.query.part_numbers ?? params?.get('part_numbers')
  return {
    after: after === undefined ? undefined : leadingInteger(after, lastPart),
    numbers:
      numbers === undefined
        ? undefined
        : listIn(numbers).map((number) => leadingInteger(number, lastPart)),
  }
}
