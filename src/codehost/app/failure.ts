import { CodehostError, type CodehostFailure } from '../codehost.ts'

/** What a failed call tells, as far as anything is known of it. */
interface Failed {
  message: string
  status: number | undefined
  headers: Readonly<Record<string, unknown>>
  /** What the code host says about it; absent when it did not answer. */
  says: string | undefined
}

/** The error that a call ended with, in our words. `call` names it: `GET /app`, say. */
export function failureOf(call: string, error: unknown, now: Date): CodehostError {
  if (error instanceof CodehostError) return error
  const failed = readFailed(error)
  const about = (kind: CodehostFailure, what: string, retryAfter: number | null = null) =>
    new CodehostError(`${what} (${call})`, { kind, retryAfter, cause: error })

  const { status, says } = failed
  if (status === undefined) {
    return about('away', `the code host cannot be reached: ${failed.message}`)
  }
  // Temporary, since all that waits for it goes on once the settings are right.
  if (status === 401 && /^\w+ \/app\b/.test(call)) {
    return about('away', `the code host does not know the key of the app: check ${keySettings}`)
  }
  const seconds = secondsToWait(failed, now)
  if (seconds !== null) {
    return about('limited', `the code host wants ${seconds} seconds of rest`, seconds)
  }
  const answered = `the code host answered ${status}${says ? `, ${says}` : ''}`
  return about(kindOf(call, status), answered)
}

const keySettings = 'APP_ID and PRIVATE_KEY (or PRIVATE_KEY_PATH)'

function kindOf(call: string, status: number): CodehostFailure {
  if (status >= 500 || status === 408) return 'away'
  if (status === 404 || status === 410) return 'missing'
  // To a question these say that there is nothing: an empty repository, a name that is no commit.
  if (call.startsWith('GET ') && (status === 409 || status === 422)) return 'missing'
  return 'refused'
}

/** Its limits come as 429 or 403; the header of an hourly one names the moment that it ends. */
function secondsToWait({ status, headers, says }: Failed, now: Date): number | null {
  const asked = Number(headers['retry-after'])
  if (status !== 403 && status !== 429) return status === 503 && asked > 0 ? asked : null
  if (asked > 0) return asked
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = Number(headers['x-ratelimit-reset']) - now.getTime() / 1000
    return Math.max(1, Math.ceil(reset)) || 60
  }
  return status === 429 || /rate limit/i.test(says ?? '') ? 60 : null
}

function readFailed(error: unknown): Failed {
  const { message, status, response } = error as {
    message: string
    status?: number
    response?: { headers?: Record<string, unknown>; data?: { message?: unknown } }
  }
  // Octokit calls it a 500 when there was no answer.
  if (!response) return { message, status: undefined, headers: {}, says: undefined }
  const words = response.data?.message
  const says = typeof words === 'string' ? inOneLine(words) : undefined
  return { message, status, headers: response.headers ?? {}, says }
}

/** Whatever stands before the code host may answer pages of anything. */
function inOneLine(text: string): string {
  return `"${text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)}"`
}

/** Octokit takes an answer that broke off, or a page of a proxy, for a text. */
export function whole(data: unknown): object {
  if (typeof data === 'object' && data !== null) return data
  throw new Error('its answer broke off, or is none of its own')
}
