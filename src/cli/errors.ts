import { ServiceError, SetupError } from '../domain/errors.ts'

/** Exit codes for errors of a command; a build's result is 0, 1 or 2 (`run`). */
export const exitCodes = { unusable: 2, internal: 70, settings: 78 } as const

/** The message and the exit code for an error that ends a command. */
export function explain(error: unknown): { message: string; code: number } {
  if (error instanceof SetupError) return { message: error.message, code: exitCodes.settings }
  if (error instanceof UsageError) return { message: error.message, code: exitCodes.unusable }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `this should not have happened.\n${details}`, code: exitCodes.internal }
}

/** The command cannot be run as it was called. The message says what to do instead. */
export class UsageError extends Error {}

/** Turns an error of the service into a usage error, which the caller can correct. For `catch`. */
export function asUsage(error: unknown): never {
  throw error instanceof ServiceError ? new UsageError(error.message) : error
}
