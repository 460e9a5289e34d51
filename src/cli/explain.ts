import { SetupError } from '../domain/errors.ts'

/** Exit codes with a meaning of their own; a build's result is 0, 1 or 2 (`run`). */
export const exitCodes = { unusable: 2, internal: 70, settings: 78 } as const

/** The words and the exit code for an error that ends a command. */
export function explain(error: unknown): { message: string; code: number } {
  if (error instanceof SetupError) return { message: error.message, code: exitCodes.settings }
  if (error instanceof UsageError) return { message: error.message, code: exitCodes.unusable }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `this should not have happened.\n${told}`, code: exitCodes.internal }
}

/** What was asked for cannot be done as it was asked. The message says what to do instead. */
export class UsageError extends Error {}
