/** What is wrong with a regular expression, in plain words. */
export class RegularExpressionError extends Error {
  /** From 0 in the expression. */
  readonly offset: number
  /** It means something elsewhere, but nothing that an engine of linear time can do. */
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
