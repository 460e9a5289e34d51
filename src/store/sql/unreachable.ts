import { isOutdatedPlan } from './prepared-statements.ts'

/** Server codes: it is shutting down, crashed, starting, or has no free connection. */
const states = /^(?:57P0[123]|08...|53300)$/

/** System codes, while a connection is opened or used. */
const failures = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
])

/** Starts of the driver's error messages, which have no code. */
const texts = [
  'Connection terminated',
  'Client has encountered a connection error',
  'timeout exceeded when trying to connect',
]

/**
 * Whether an error means that the database is unreachable for now, or is being migrated by another
 * process, and not that this service made a mistake.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isOutdatedPlan(error)) return true
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === undefined) return texts.some((text) => error.message.startsWith(text))
  // The embedded server's socket is a file, which does not exist while the server is not running.
  return states.test(code) || failures.has(code) || (code === 'ENOENT' && syscall === 'connect')
}
