/** Why a build file cannot be read. */
export interface SyntaxProblem {
  /** Broken YAML, or valid YAML whose root is not a mapping. */
  kind: 'parse' | 'format'
  message: string
  /** How to fix it. */
  hint: string | null
  /** Offset in the prepared text. */
  at: number
}

/** Thrown when reading cannot continue; never leaves `composeText`. */
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
