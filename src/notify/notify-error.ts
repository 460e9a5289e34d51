interface Failure {
  temporary: boolean
  /** The status that the target responded with. */
  status?: number
  /** Seconds to wait, if the target requested a pause. */
  retryAfter?: number | null
  cause?: unknown
}

/** A message could not be sent. The error's text is shown to users and contains no secret. */
export class NotifyError extends Error {
  /** Whether retrying can help. */
  readonly temporary: boolean
  readonly status: number | null
  readonly retryAfter: number | null

  constructor(message: string, { temporary, status, retryAfter, cause }: Failure) {
    super(message, { cause })
    this.temporary = temporary
    this.status = status ?? null
    this.retryAfter = retryAfter ?? null
  }
}
