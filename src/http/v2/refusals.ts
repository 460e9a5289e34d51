import type { FieldError } from '../../domain/errors.ts'
import { json, text } from '../core/answer.ts'

/**
 * V2.1's refusals that differ from the usual ones of their kind. Clients take a plain 403 for an invalid
 * token, so endpoints refuse with the responses that the interface lists for them.
 */
export const refusals = {
  /** One line of text, like the usual 401 and 403 responses (D21). */
  text: (line: string) => text(line),
  /** For endpoints that do not distinguish a missing right from a missing record. */
  notFound: () => json({ file: 'not found' }, 404),
  notFoundText: (error: string) => json({ error }, 404),
  notFoundObject: (message: string) => json({ error: { message } }, 404),
  restart: (errors: readonly string[]) =>
    json({ result: false, flash: errors.map((error) => ({ error })) }, 400),
  unauthorized: (message: string) => json({ error: { message } }, 401),
  forbidden: (message: string) => json({ error: { message } }, 403),
  /** Caches of a repository without the right to push. */
  forbiddenEmpty: () => json({}, 403),
  conflict: (message: string) => json({ error: { message } }, 409),
  conflictText: (message: string) => json({ message }, 409),
  unprocessable: (message: string, code: string) => json({ error: { message, code } }, 422),
  invalid: (errors: readonly FieldError[]) => json({ message: 'Validation failed', errors }, 422),
}

/** Why a build or job that the caller can restart cannot be restarted now. */
export function notRestartable(type: 'build' | 'job'): string {
  return `This ${type} currently can not be restarted.`
}
