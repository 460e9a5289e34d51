import { logRights as rights } from '../../../access/build-rights.ts'
import { notAcceptable } from '../../../domain/errors.ts'
import { isFinished } from '../../../domain/job/job.ts'
import { lastPart } from '../../../domain/log/log.ts'
import { removeLog } from '../../../flow/jobs/logs.ts'
import { addressOfLog, readLog } from '../../../flow/logs/read-log.ts'
import { findVersion } from '../../../store/jobs/job-versions.ts'
import type { LogPartFilter } from '../../../store/jobs/log-pages.ts'
import { sizeOfLog } from '../../../store/jobs/logs.ts'
import type { SeenLog } from '../../../store/repositories/repository-access.ts'
import { type Answer, noContent, redirect, textType, withHeaders } from '../../core/answer.ts'
import { type Call, get, patch } from '../../core/endpoint.ts'
import { isTextPath } from '../../core/text-path.ts'
import { actorOf } from '../../identity/actor.ts'
import { crossOrigin } from '../../identity/cross-origin.ts'
import { findLog, refusalOfLog } from '../../identity/log-access.ts'
import { logTokenFor } from '../../identity/log-token.ts'
import { anonymousLogs } from '../../identity/rate-limits.ts'
import { integerPrefix, integerPrefixes, mark, oneStoredText } from '../../parameters/kinds.ts'
import { allUnlisted, described, type Values, valuesOf } from '../../parameters/parameter.ts'
import { beginReading, isComplete, type ReadLog } from '../../views/log-pages.ts'
import { type LogText, measureText, textAnswer } from '../../views/log-text.ts'
import { accepts, parseAccept, type Accepted } from '../accept.ts'
import { answers } from '../openapi/answers.ts'
import { logObject, plainLines, plainPieces, presentLog } from '../present/log.ts'
import { refusals } from '../refusals.ts'
import { resourceType } from '../resource-type.ts'

const jobPaths = ['/jobs/:job/log', '/jobs/:job/logs']

const ofJob = { type: 'job', logOf: 'job', find: (call: Call) => findLog(call, 'job'), rights }

const byId = { type: 'log', logOf: 'log', find: (call: Call) => findLog(call, 'log'), rights }

const partParameters = {
  after: described('with `chunked`, only the parts with a greater number', integerPrefix(lastPart)),
  part_numbers: described('with `chunked`, only these parts', integerPrefixes(lastPart)),
}

/** For scripts of the observed API. */
const redirectParameters = {
  cors_hax: described('instead of a redirect, 204 with the same `Location`', mark()),
}

const logParameters = {
  attempt: described('number of the run, for a restarted job', integerPrefix(lastPart)),
  deansi: described('whether the codes of terminals are left out of text', mark()),
  attachment: described('whether browsers save the text as a file', mark()),
  ...partParameters,
  ...allUnlisted(redirectParameters),
}

/** Text has no parts, so the parameters for parts are not listed. */
const textParameters = { ...logParameters, ...allUnlisted(partParameters) }

/** The address of a log outside of this service. */
interface Elsewhere {
  log: SeenLog
  location: string
  /** Whether only the headers mention it, for scripts that cannot follow a redirect to another origin. */
  isQuiet: boolean
}

interface ShownLog {
  log: SeenLog
  shape: { form: 'json' | 'parts'; read: ReadLog } | { form: 'text'; text: LogText; grows: boolean }
  /** Whether the log is sent as a single part. */
  isOne: boolean
  attachment: boolean
}

/** Without terminal escape sequences. */
const plainly = { whole: plainLines, pieces: plainPieces }

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
const reading = (
  formOf: (call: Call, isWhole: boolean) => LogForm | undefined,
  mayRedirect = false,
) => ({
  right: 'view_log' as const,
  negotiates: false,
  rate: anonymousLogs,
  docs: inBothForms,
  accepts: logParameters,
  async act(
    call: Call,
    log: SeenLog,
    values: Values<typeof logParameters>,
  ): Promise<ShownLog | Elsewhere> {
    const { attempt, deansi, attachment } = values
    const { db } = call.ctx
    const earlier = attempt === undefined ? undefined : await findVersion(db, log.id, attempt)
    const refusal = refusalOfLog(call, log, earlier)
    if (refusal) throw refusal
    const location = mayRedirect ? await addressOf(call, log, values) : undefined
    if (location !== undefined) return { log, location, isQuiet: values.cors_hax }
    // A removed log is stored as one part, and sent in the requested form.
    const isEnded = earlier ? isFinished(earlier) : isComplete(log)
    const isWhole = log.removed_at === null && isEnded
    const form = formOf(call, isWhole)
    if (!form) throw notAcceptable()
    const parts = form === 'parts' ? partsWanted(call, values) : {}
    const all = parts.after === undefined && parts.numbers === undefined
    const joined = form !== 'parts' || (isWhole && all)
    const read = await beginReading(readLog(call.ctx, log.id, { attempt, ...parts, joined }))
    const shown = { log, isOne: isWhole && all, attachment }
    if (form !== 'text') return { ...shown, shape: { form, read } }
    const size = () => sizeOfLog(db, log.id, attempt)
    const text = await measureText(read, size, deansi ? plainly : undefined)
    const grows = log.removed_at === null && !isWhole
    return { ...shown, shape: { form, text, grows } }
  },
  present(shown: ShownLog | Elsewhere, call: Call) {
    const answer = 'location' in shown ? presentAddress(shown) : presentLogAs(shown, call)
    return withHeaders(answer, tokenHeaders(logTokenFor(call, shown.log)))
  },
})

/** The address is as good as a token. */
const secretLocation = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

function presentAddress({ location, isQuiet }: Elsewhere): Answer {
  if (!isQuiet) return withHeaders(redirect(location, 307), secretLocation)
  const exposed = ['Location', ...crossOrigin.exposedHeaders].join(', ')
  const headers = { ...secretLocation, location, 'access-control-expose-headers': exposed }
  return withHeaders(noContent(), headers)
}

/** Seconds for which a signed address can be used. */
const addressSeconds = 60

/**
 * The address at which clients read a log themselves, if it is compressed in a store that they can reach.
 * Clients that cannot decompress it, or that request only a part or another form of it, get it from here. The
 * address is signed for GET only.
 */
async function addressOf(
  call: Call,
  log: SeenLog,
  { attempt, deansi, attachment }: Values<typeof logParameters>,
): Promise<string | undefined> {
  const { ctx, request } = call
  if (request.method !== 'GET' || deansi || log.removed_at) return undefined
  if (jobLogForm(acceptedBy(call), true) !== 'text') return undefined
  const { range, 'accept-encoding': encodings } = request.headers
  if (range !== undefined || !acceptsGzip(encodings)) return undefined
  return addressOfLog(ctx, log.id, attempt, {
    disposition: dispositionOf(log, attachment),
    seconds: addressSeconds,
  })
}

/** A weight for gzip itself counts more than the weight for all encodings. */
function acceptsGzip(encodings: string | string[] | undefined): boolean {
  const listed = String(encodings ?? '')
    .toLowerCase()
    .split(',')
  const qualityOf = (name: string) => {
    const found = listed.map((each) => each.split(';')).find(([is = '']) => is.trim() === name)
    const quality = found?.slice(1).find((parameter) => /^\s*q\s*=/.test(parameter))
    return found && Number(quality?.split('=')[1] ?? 1)
  }
  return (qualityOf('gzip') ?? qualityOf('*') ?? 0) > 0
}

const dispositionOf = ({ id }: SeenLog, attachment: boolean) =>
  `${attachment ? 'attachment' : 'inline'}; filename="${id}"`

function presentLogAs(shown: ShownLog, call: Call): Answer {
  const { log, shape, isOne } = shown
  if (shape.form === 'text') {
    const { text, grows } = shape
    return textAnswer(call.request, text, { headers: textHeaders(shown, call), grows })
  }
  if (shape.form === 'json') return presentLog(log, 'body', shape.read)
  return presentLog(log, isOne ? 'part' : 'parts', shape.read)
}

/** Headers with the token to read a log that is not open to everyone. */
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
  // Not 403, which clients interpret as an invalid token.
  refused: {
    status: 401 as const,
    answer: () => refusals.unauthorized('insufficient permission to remove logs'),
  },
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
  get(jobPaths, {
    ...ofJob,
    ...reading((call, isWhole) => jobLogForm(acceptedBy(call), isWhole), true),
  }),
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
  return {
    'content-disposition': dispositionOf(log, attachment),
    'x-content-type-options': 'nosniff',
    ...(isTextPath(call.request) ? { 'x-robots-tag': 'noindex, noarchive, nosnippet' } : {}),
  }
}

/** The requested parts: from the query, or from the parameters of the `chunked` entry in `Accept`. */
function partsWanted(
  call: Call,
  { after, part_numbers }: Values<typeof partParameters>,
): LogPartFilter {
  const params = acceptedBy(call).find(isChunked)?.params
  const given = { after: params?.get('after'), part_numbers: params?.get('part_numbers') }
  const accepted = valuesOf(partParameters, given)
  return { after: after ?? accepted.after, numbers: part_numbers ?? accepted.part_numbers }
}

type LogForm = 'text' | 'json' | 'parts'

/**
 * The form in which a job's log is sent: text whenever it is acceptable, else JSON, with its parts if
 * `chunked` requests them (D6). For a log that is one whole text, entries that request parts are
 * skipped, unless nothing else is accepted. Undefined when nothing matches.
 */
export function jobLogForm(accepted: readonly Accepted[], isWhole: boolean): LogForm | undefined {
  const [first] = accepted
  if (first && isChunked(first) && (!isWhole || accepted.every(isChunked))) return 'parts'

  const plain = accepted.filter((entry) => !isChunked(entry))
  if (plain.some((entry) => accepts(entry, 'text/plain'))) return 'text'
  if (plain.some((entry) => accepts(entry, 'application/json'))) return 'json'
  return accepted.some(isChunked) ? 'parts' : undefined
}

/**
 * The form of a log requested by its own id: that of the first acceptable entry, JSON before text.
 * Entries that request parts of a whole log are skipped.
 */
export function logForm(accepted: readonly Accepted[], isWhole: boolean): LogForm | undefined {
  const forms = accepted.map((entry): LogForm | undefined => {
    if (isChunked(entry)) return isWhole ? undefined : 'parts'
    if (accepts(entry, 'application/json')) return 'json'
    return accepts(entry, 'text/plain') ? 'text' : undefined
  })
  const form = forms.find((each) => each !== undefined)
  return form ?? (accepted.some(isChunked) ? 'parts' : undefined)
}

/** Only the presence of the parameter counts, with any media type; `false` means absence. */
function isChunked({ params }: Accepted): boolean {
  return params.has('chunked') && params.get('chunked') !== 'false'
}
