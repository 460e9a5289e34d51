import { CodehostError } from '../../codehost/codehost.ts'
import type { Request } from '../../domain/request/request.ts'
import { timeOf } from '../../store/age.ts'
import type { Context } from '../context.ts'

/**
 * Milliseconds after an event within which the code host may not show yet what the event told of: it
 * reads from copies, which can be behind.
 */
export const longestLag = 60_000

/** Has a request decided later, because the code host may be behind the event that named the commit. */
export function notShownYet(sha: string): CodehostError {
  const message = `the code host does not show commit ${sha} yet`
  return new CodehostError(message, { kind: 'away', retryAfter: 5 })
}

/** Whether it came less than so many milliseconds ago, by the database's clock. */
export async function isYounger(
  { db }: Context,
  { created_at }: Pick<Request, 'created_at'>,
  milliseconds: number,
): Promise<boolean> {
  const now = await timeOf(db)
  return now.getTime() - created_at.getTime() < milliseconds
}
