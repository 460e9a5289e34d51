import { logRights as rights } from '../../../access/build-rights.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { lastPart } from '../../../domain/log/log.ts'
import { removeLog } from '../../../flow/remove-log.ts'
import { findVersion } from '../../../store/job-versions.ts'
import { type LogPartFilter, readLog } from '../../../store/logs.ts'
import type { SeenLog } from '../../../store/seen.ts'
import { actorOf } from '../../actor.ts'
import { type Answer, textType, withHeaders } from '../../answer.ts'
import { crossOrigin } from '../../cross-origin.ts'
import { type Call, get, patch } from '../../endpoint.ts'
import { findLog, refusalOfLog } from '../../log-access.ts'
import { integerPrefix, integerPrefixes, mark, oneStoredText } from '../../parameters/kinds.ts'
import { allUnlisted, described, type Values, valuesOf } from '../../parameters/parameter.ts'
import { anonymousLogs } from '../../rates.ts'
import { isTextPath } from '../../text-path.ts'
import { accepts, parseAccept } from '../accept.ts'
import { isChunked, jobLogForm, type LogForm, logForm } from '../log-form.ts'
import { beginReading, type ReadLog } from '../../log-pages.ts'
import { logTokenFor } from '../../log-token.ts'
import { answers } from '../openapi/answers.ts'
import { logObject, presentLog, presentText } from '../present/log.ts'
import { refusals } from '../refusals.ts'
import { resourceType } from '../resource-type.ts'

const jobPaths = ['/jobs/:job/log', '/jobs/:job/logs']

const ofJob = { type: 'job', logOf: 'job', find: (call: Call) => findLog(call, 'job'), rights }

const byId = { type: 'log', logOf: 'log', find: (call: Call) => findLog(call, 'log'), rights }

const partParameters = {
  after: described('with `chunked`, only the parts with a greater number', integerPrefix(lastPart)),
  part_numbers: described('with `chunked`, only these parts', integerPrefixes(lastPart)),
}

const logParameters = {
  attempt: described('of a job that was restarted, which run', integerPrefix(lastPart)),
  deansi: described('whether the codes of terminals are left out of text', mark()),
  attachment: described('whether browsers save text as a file', mark()),
  ...partParameters,
}

/** Text is sent without parts. */
const textParameters = { ...logParameters, ...allUnlisted(partParameters) }

interface ShownLog {
  log: SeenLog
  form: LogForm
  read: ReadLog
  /** Whether one part stands for all of it. */
  isOne: boolean
  /** Whether it is sent without the codes of terminals. */
  plain: boolean
  attachment: boolean
}

const fails = ['log_access_denied', 'log_expired', 'not_acceptable'] as const

const inBothForms = {
  summary:
    'the log of a job as text or JSON, as `Accept` says; with its parameter `chunked`, as in ' +
    '`application/json; chunked=true`, in parts',
  types: [textType, resourceType],
  schema: answers.log,
  fails,
}

const asText = { summary: 'the log of a job as text', types: [textType], fails }

/** How a log is read, in the form that `formOf` chooses. */
const reading = (formOf: (call: Call, isWhole: boolean) => LogForm | undefined) => ({
  right: 'view_log' as const,
  negotiates: false,
  rate: anonymousLogs,
  docs: inBothForms,
  accepts: logParameters,
  async act(call: Call, log: SeenLog, values: Values<typeof logParameters>) {
    const { attempt, deansi, attachment } = values
    const earlier =
      attempt === undefined ? undefined : await findVersion(call.ctx.db, log.id, attempt)
    const refusal = refusalOfLog(call, log, earlier)
    if (refusal) throw refusal
    // What was removed is stored as one part, and sent as it was asked for.
    const isWhole = log.removed_at === null && isFinished(earlier ?? log)
    const form = formOf(call, isWhole)
    if (!form) throw notAcceptable()
    const parts = form === 'parts' ? partsWanted(call, values) : {}
    const all = parts.after === undefined && parts.numbers === undefined
    const joined = form !== 'parts' || (isWhole && all)
    const read = await beginReading(readLog(call.ctx.db, log.id, { attempt, ...parts, joined }))
    return { log, form, read, isOne: isWhole && all, plain: deansi, attachment }
  },
  present(shown: ShownLog, call: Call) {
    return withHeaders(presentLogAs(shown, call), tokenHeaders(logTokenFor(call, shown.log)))
  },
})

function presentLogAs(shown: ShownLog, call: Call): Answer {
  const { log, form, read, isOne, plain } = shown
  if (form === 'json') return presentLog(log, 'body', read)
  if (form === 'parts') return presentLog(log, isOne ? 'part' : 'parts', read)
  return presentText(read, { plain, headers: textHeaders(shown, call) })
}

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
  accepts: { reason: described('why it is removed, which is shown in its place', oneStoredText()) },
  docs: {
    summary: 'removes the log of a finished job; needs the right to push',
    schema: answers.log,
    fails: ['job_unfinished', 'log_already_removed'] as const,
    example: { reason: 'it shows a password' },
  },
  async act(call: Call, log: SeenLog, { reason }: { reason: string | undefined }) {
    const removed = await removeLog(call.ctx, actorOf(call), log, reason)
    return logObject({ id: log.id, ...removed }, { body: removed.text })
  },
  present: (removed: ReturnType<typeof logObject>) => removed,
}

export const logEndpoints = [
  get(jobPaths, { ...ofJob, ...reading((call, isWhole) => jobLogForm(acceptedBy(call), isWhole)) }),
  get(['/jobs/:job/log.txt', '/jobs/:job/logs.txt'], {
    ...ofJob,
    ...reading(textForm),
    docs: asText,
    accepts: textParameters,
  }),
  get('/logs/:log', { ...byId, ...reading((call, isWhole) => logForm(acceptedBy(call), isWhole)) }),
  patch(jobPaths, { ...ofJob, ...removing }),
  patch('/logs/:log', { ...byId, ...removing }),
]

const acceptedBy = ({ request }: Call) => parseAccept(request.headers.accept)

function textForm(call: Call): LogForm | undefined {
  return acceptedBy(call).some((entry) => accepts(entry, 'text/plain')) ? 'text' : undefined
}

function textHeaders({ log, attachment }: ShownLog, call: Call): Record<string, string> {
  const disposition = attachment ? 'attachment' : 'inline'
  return {
    'content-disposition': `${disposition}; filename="${log.id}"`,
    'x-content-type-options': 'nosniff',
    ...(isTextPath(call.request) ? { 'x-robots-tag': 'noindex, noarchive, nosnippet' } : {}),
  }
}

/** Which parts are wanted: from the query, or from the parameters of `chunked`. */
function partsWanted(
  call: Call,
  { after, part_numbers }: Values<typeof partParameters>,
): LogPartFilter {
  const params = acceptedBy(call).find(isChunked)?.params
  const given = { after: params?.get('after'), part_numbers: params?.get('part_numbers') }
  const accepted = valuesOf(partParameters, given)
  return { after: after ?? accepted.after, numbers: part_numbers ?? accepted.part_numbers }
}
