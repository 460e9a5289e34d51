/** Why a build file cannot be read. */
export interface SyntaxProblem {
  /** Broken YAML, or valid YAML whose root is no mapping. */
  kind: 'parse' | 'format'
  message: string
  /** What to do about it. */
  hint: string | null
  /** In the prepared text. */
  at: number
}

/** Thrown where reading cannot go on; never leaves `composeText`. */
export class SyntaxProblemError extends Error {
  readonly at: number
  readonly hint: string | null

  constructor(message: string, at: number, hint: string | null) {
    super(message)
    this.name = 'SyntaxProblemError'
    this.at = at
    this.hint = hint
  }
}

export function problem(at: number, message: string, hint: string | null = null) {
  return new SyntaxProblemError(message, at, hint)
}
