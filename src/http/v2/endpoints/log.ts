import { jobRights } from '../../../access/build-rights.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { lastPart } from '../../../domain/log.ts'
import { removeLog } from '../../../flow/remove-log.ts'
import { type LogPartFilter, readLog } from '../../../store/logs.ts'
import { findSeenLog, type SeenLog } from '../../../store/seen.ts'
import { actorOf } from '../../actor.ts'
import { textType } from '../../answer.ts'
import { type Call, get, patch } from '../../endpoint.ts'
import { findRecord } from '../../find-record.ts'
import { leadingInteger } from '../../leading-integer.ts'
import { listIn } from '../../list-in.ts'
import { refusalOfLog } from '../../log-access.ts'
import { integerPrefix, text } from '../../parameters/kinds.ts'
import { anonymousLogs } from '../../rates.ts'
import { accepts, parseAccept } from '../accept.ts'
import { isChunked, jobLogForm, type LogForm, logForm } from '../log-form.ts'
import { beginReading, type ReadLog } from '../log-pages.ts'
import { answers } from '../openapi/answers.ts'
import { logObject, presentLog, presentText } from '../present/log.ts'
import { refusals } from '../refusals.ts'
import { resourceType } from '../resource-type.ts'

const jobPaths = ['/jobs/:job/log', '/jobs/:job/logs']

const ofJob = {
  type: 'job',
  find: (call: Call) => findRecord(call, call.params.job, findSeenLog),
  rights: jobRights,
}

const byId = {
  type: 'log',
  find: (call: Call) => findRecord(call, call.params.log, findSeenLog),
  rights: jobRights,
}

/** How a log is read, in the form that `formOf` chooses. */
const reading = (formOf: (call: Call) => LogForm | undefined) => ({
  right: 'view_log' as const,
  negotiates: false,
  rate: anonymousLogs,
  docs: {
    types: [textType, resourceType],
    schema: answers.log,
    fails: ['log_access_denied', 'log_expired', 'not_acceptable'] as const,
  },
  accepts: { attempt: integerPrefix(lastPart) },
  async act(call: Call, log: SeenLog, { attempt }: { attempt: number | undefined }) {
    const refusal = refusalOfLog(call, log)
    if (refusal) throw refusal
    const form = formOf(call)
    if (!form) throw notAcceptable()
    const wanted = { attempt, ...(form === 'parts' ? partsWanted(call) : {}) }
    return { log, form, read: await beginReading(readLog(call.ctx.db, log.id, wanted)) }
  },
  present: ({ log, form, read }: { log: SeenLog; form: LogForm; read: ReadLog }, call: Call) =>
    form === 'text'
      ? presentText(read, { plain: 'deansi' in call.query, headers: textHeaders(log, call) })
      : presentLog(log, form, read),
})

const removing = {
  login: true,
  scope: 'settings' as const,
  right: 'delete_log' as const,
  // Not 403, which clients take for an invalid token.
  refused: () => refusals.unauthorized('insufficient permission to remove logs'),
  accepts: { reason: text() },
  docs: { schema: answers.log, fails: ['job_unfinished', 'log_already_removed'] as const },
  async act(call: Call, log: SeenLog, { reason }: { reason: string | undefined }) {
    const removed = await removeLog(call.ctx, actorOf(call), log, reason)
    return logObject({ id: log.id, ...removed }, { body: removed.text })
  },
  present: (removed: ReturnType<typeof logObject>) => removed,
}

export const logEndpoints = [
  get([...jobPaths, '/jobs/:job/log.txt', '/jobs/:job/logs.txt'], {
    ...ofJob,
    ...reading((call) => (isTextPath(call) ? textForm(call) : jobLogForm(acceptedBy(call), false))),
  }),
  get('/logs/:log', { ...byId, ...reading((call) => logForm(acceptedBy(call))) }),
  patch(jobPaths, { ...ofJob, ...removing }),
  patch('/logs/:log', { ...byId, ...removing }),
]

const acceptedBy = ({ request }: Call) => parseAccept(request.headers.accept)

function textForm(call: Call): LogForm | undefined {
  return acceptedBy(call).some((entry) => accepts(entry, 'text/plain')) ? 'text' : undefined
}

function isTextPath({ request }: Call): boolean {
  return request.routeOptions.url?.endsWith('.txt') ?? false
}

function textHeaders({ id }: SeenLog, call: Call): Record<string, string> {
  const disposition = 'attachment' in call.query ? 'attachment' : 'inline'
  return {
    'content-disposition': `${disposition}; filename="${id}"`,
    'x-content-type-options': 'nosniff',
    ...(isTextPath(call) ? { 'x-robots-tag': 'noindex, noarchive, nosnippet' } : {}),
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
