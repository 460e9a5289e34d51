import { shortened } from '../../domain/text/shortened.ts'
import { CodehostError, type CodehostFailure } from '../codehost.ts'

/** The known facts about a failed call. */
interface FailedCall {
  message: string
  status: number | undefined
  headers: Readonly<Record<string, unknown>>
  /** The reason that the code host gave; undefined without a response. */
  reason: string | undefined
}

/**
 * The error of a failed call as a `CodehostError`. `call` looks like `GET /app`; `isNew` means that the
 * call used a token so new that parts of the code host may not know it yet (D36).
 */
export function failureOf(call: string, error: unknown, now: Date, isNew = false): CodehostError {
  if (error instanceof CodehostError) return error
  const failed = readFailed(error)
  const about = (kind: CodehostFailure, what: string, known: Known = {}) =>
    new CodehostError(`${what} (${call})`, { kind, ...known, cause: error })

  const { status, reason } = failed
  if (status === undefined) {
    return about('away', `the code host cannot be reached: ${failed.message}`)
  }
  // Temporary, because waiting work continues once the settings are corrected.
  if (status === 401 && /^\w+ \/app\b/.test(call)) {
    return about('away', `the code host rejected the key of the app: check ${keySettings}`)
  }
  const seconds = secondsToWait(failed, now)
  if (seconds !== null) {
    const what = `the code host refuses calls for ${seconds} seconds`
    return about('limited', what, { retryAfter: seconds })
  }
  if (status === 403 && /suspended/i.test(reason ?? '')) {
    const message = `the app is suspended there: unsuspend it in its settings (${call})`
    return new CodehostError(message, { kind: 'away', suspended: true, cause: error })
  }
  const lacking = missingPermission(failed)
  const responded =
    `the code host responded with ${status}${reason ? `, ${reason}` : ''}` +
    (lacking === undefined ? '' : `: the app lacks the permission ${lacking}`)
  const remedy = remedyFor(failed, lacking)
  if (isNew && isRefusal(status)) {
    return about('away', `${responded}, although it has just issued the token`, { remedy })
  }
  return about(kindOf(call, status, reason), responded, { badToken: status === 401, remedy })
}

/** The known facts about a failure in addition to its kind. */
type Known = Partial<Pick<CodehostError, 'retryAfter' | 'badToken' | 'remedy'>>

/** The permission that an installation has not granted, such as `statuses: write`; else undefined. */
function missingPermission({ status, reason, headers }: FailedCall): string | undefined {
  if (status !== 403 || !/not accessible by integration/i.test(reason ?? '')) return undefined
  const accepted = headers['x-accepted-github-permissions']
  const [first] = typeof accepted === 'string' ? (accepted.match(/\w+=\w+/) ?? []) : []
  return first?.replace('=', ': ') ?? 'that this needs'
}

/** The code host accepts 1,000 statuses for each commit and context. */
const noMoreStatuses = /maximum number of statuses/i

function remedyFor({ reason = '' }: FailedCall, lacking: string | undefined): string | null {
  if (lacking !== undefined) {
    return 'accept the new permissions of the app in the settings of its installation at the code host'
  }
  if (noMoreStatuses.test(reason)) {
    return 'push another commit, because the code host accepts no more statuses for this one'
  }
  return null
}

/** Milliseconds for which a new token may be unknown to parts of the code host (D36). */
const freshFor = 60_000

/** Whether a token was issued only recently; `since` is in milliseconds. */
export function isFresh(since: number | undefined, now: Date): boolean {
  return since !== undefined && now.getTime() - since < freshFor
}

/** The status of the code host's response, if there was one. */
export function statusOf({ cause }: CodehostError): number | undefined {
  return (cause as { status?: number } | undefined)?.status
}

const keySettings = 'APP_ID and PRIVATE_KEY (or PRIVATE_KEY_PATH)'

/** Whether the status may mean that the token is refused, rather than the call. */
export function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403
}

/** The code host's message for a commit that it does not show yet, or no longer has. */
const unknownCommit = /\bno commit found\b/i

function kindOf(call: string, status: number, reason = ''): CodehostFailure {
  if (status >= 500 || status === 408) return 'away'
  if (status === 404 || status === 410) return 'missing'
  // For a read, these mean that nothing exists: an empty repository, or a name without a commit.
  if (call.startsWith('GET ') && (status === 409 || status === 422)) return 'missing'
  if (status === 422 && unknownCommit.test(reason)) return 'missing'
  return isRefusal(status) || status === 451 ? 'refused' : 'invalid'
}

/** Limits come as 429 or 403; an hourly limit has a header with its end. */
function secondsToWait({ status, headers, reason }: FailedCall, now: Date): number | null {
  const asked = Number(headers['retry-after'])
  if (status !== 403 && status !== 429) return status === 503 && asked > 0 ? asked : null
  if (asked > 0) return asked
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset']) - now.getTime() / 1000
    return Math.max(1, Math.ceil(reset)) || 60
  }
  return status === 429 || /rate limit/i.test(reason ?? '') ? 60 : null
}

function readFailed(error: unknown): FailedCall {
  const { message, status, response } = error as {
    message: string
    status?: number
    response?: { headers?: Record<string, unknown>; data?: { message?: unknown; errors?: unknown } }
  }
  // Octokit reports status 500 when there was no response.
  if (!response) return { message, status: undefined, headers: {}, reason: undefined }
  const { message: text, errors } = response.data ?? {}
  const reason = typeof text === 'string' ? inOneLine([text, ...detailsIn(errors)]) : undefined
  return { message, status, headers: response.headers ?? {}, reason }
}

/** The error of each field in a call that failed validation. */
function detailsIn(errors: unknown): string[] {
  const all: unknown[] = Array.isArray(errors) ? errors : []
  return all.flatMap((each) => {
    const text = typeof each === 'string' ? each : (each as { message?: unknown } | null)?.message
    return typeof text === 'string' ? [text] : []
  })
}

/** A proxy in front of the code host may return pages of any text. */
function inOneLine(texts: readonly string[]): string {
  const text = texts.join(': ').replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return `"${shortened(text.trim(), longestReason)}"`
}

const longestReason = 200

/** Throws for a truncated response or a page of a proxy, which Octokit returns as text. */
export function completeBody(data: unknown): object {
  if (typeof data === 'object' && data !== null) return data
  throw new Error('its response was truncated or did not come from the code host')
}
