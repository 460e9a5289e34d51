import { isOutdatedPlan } from './prepared.ts'

/** Of the server: it shuts down, crashed, starts, or has no connection to spare. */
const states = /^(?:57P0[123]|08...|53300)$/

/** Of the system, while a connection is opened or used. */
const failures = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
])

/** Errors of the driver have no code. */
const texts = [
  'Connection terminated',
  'Client has encountered a connection error',
  'timeout exceeded when trying to connect',
]

/**
 * Whether an error means that the database cannot be reached for now, or is being migrated by another
 * process, rather than that we did wrong.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isOutdatedPlan(error)) return true
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return texts.some((text) => error.message.startsWith(text))
  // The embedded server's socket is a file, which is not there while it does not run.
  return states.test(code) || failures.has(code) || (code === 'ENOENT' && syscall === 'connect')
}
