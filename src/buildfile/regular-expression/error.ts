/** A mistake in a regular expression, in plain words. */
export class RegularExpressionError extends Error {
  /** From 0 in the expression. */
  readonly offset: number
  /** Whether the syntax is valid elsewhere, but a linear-time engine cannot support it. */
  readonly unsupported: boolean

  constructor(message: string, offset: number, unsupported = false) {
    super(message)
    this.name = 'RegularExpressionError'
    this.offset = offset
    this.unsupported = unsupported
  }
}

export function unsupported(what: string, offset: number): RegularExpressionError {
  return new RegularExpressionError(`${what} not supported`, offset, true)
}
