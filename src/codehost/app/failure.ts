import { CodehostError, type CodehostFailure } from '../codehost.ts'

/** What is known about a failed call. */
interface FailedCall {
  message: string
  status: number | undefined
  headers: Readonly<Record<string, unknown>>
  /** The reason that the code host gave; undefined without a response. */
  reason: string | undefined
}

/**
 * The error of a failed call as a `CodehostError`. `call` is like `GET /app`; `isNew` says that it
 * was made with a token so new that parts of the code host may not know it yet (D36).
 */
export function failureOf(call: string, error: unknown, now: Date, isNew = false): CodehostError {
  if (error instanceof CodehostError) return error
  const failed = readFailed(error)
  const about = (kind: CodehostFailure, what: string, retryAfter: number | null = null) =>
    new CodehostError(`${what} (${call})`, { kind, retryAfter, cause: error })

  const { status, reason } = failed
  if (status === undefined) {
    return about('away', `the code host cannot be reached: ${failed.message}`)
  }
  // Temporary, since waiting work continues once the settings are right.
  if (status === 401 && /^\w+ \/app\b/.test(call)) {
    return about('away', `the code host rejected the key of the app: check ${keySettings}`)
  }
  const seconds = secondsToWait(failed, now)
  if (seconds !== null) {
    return about('limited', `the code host allows no calls for ${seconds} seconds`, seconds)
  }
  if (status === 403 && /suspended/i.test(reason ?? '')) {
    const message = `the app is suspended there: unsuspend it in its settings (${call})`
    return new CodehostError(message, { kind: 'away', suspended: true, cause: error })
  }
  const responded = `the code host responded with ${status}${reason ? `, ${reason}` : ''}`
  if (isNew && isRefusal(status)) {
    return about('away', `${responded}, to a token that it has just issued`)
  }
  const kind = kindOf(call, status, reason)
  const message = `${responded} (${call})`
  return new CodehostError(message, { kind, badToken: status === 401, cause: error })
}

/** For so many milliseconds a new token may be unknown to parts of the code host (D36). */
const freshFor = 60_000

/** Whether a token was issued so short a time ago; `since` is in milliseconds. */
export function isFresh(since: number | undefined, now: Date): boolean {
  return since !== undefined && now.getTime() - since < freshFor
}

/** What the code host responded with, if it did. */
export function statusOf({ cause }: CodehostError): number | undefined {
  return (cause as { status?: number } | undefined)?.status
}

const keySettings = 'APP_ID and PRIVATE_KEY (or PRIVATE_KEY_PATH)'

/** Whether it may be the token that is refused, rather than the call. */
export function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403
}

/** What the code host says of a commit that it does not show yet, or has no more. */
const unknownCommit = /\bno commit found\b/i

function kindOf(call: string, status: number, reason = ''): CodehostFailure {
  if (status >= 500 || status === 408) return 'away'
  if (status === 404 || status === 410) return 'missing'
  // For a read these mean that there is nothing: an empty repository, a name that is no commit.
  if (call.startsWith('GET ') && (status === 409 || status === 422)) return 'missing'
  if (status === 422 && unknownCommit.test(reason)) return 'missing'
  return isRefusal(status) || status === 451 ? 'refused' : 'invalid'
}

/** Limits come as 429 or 403; an hourly one has a header with the time that it ends. */
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
    response?: { headers?: Record<string, unknown>; data?: { message?: unknown } }
  }
  // Octokit reports status 500 when there was no response.
  if (!response) return { message, status: undefined, headers: {}, reason: undefined }
  const text = response.data?.message
  const reason = typeof text === 'string' ? inOneLine(text) : undefined
  return { message, status, headers: response.headers ?? {}, reason }
}

/** A proxy in front of the code host may return pages of any text. */
function inOneLine(text: string): string {
  return `"${text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)}"`
}

/** Throws for a truncated response or a page of a proxy, which Octokit returns as text. */
export function completeBody(data: unknown): object {
  if (typeof data === 'object' && data !== null) return data
  throw new Error('its response was truncated or did not come from the code host')
}
