import { CodehostError } from '../../codehost/codehost.ts'
import type { Request } from '../../domain/request/request.ts'
import { timeOf } from '../../store/sql/age.ts'
import type { Context } from '../context.ts'

/**
 * Milliseconds after an event within which the code host may not show the event's change yet: it reads
 * from replicas, which can lag.
 */
export const longestLag = 60_000

/** The error that postpones a decision: the code host may lag behind the event that named the commit. */
export function notShownYet(sha: string): CodehostError {
  const message = `the code host does not show commit ${sha} yet`
  return new CodehostError(message, { kind: 'away', retryAfter: 5 })
}

/** Whether a request came less than `milliseconds` ago, by the database's clock. */
export async function isYounger(
  { db }: Context,
  { created_at }: Pick<Request, 'created_at'>,
  milliseconds: number,
): Promise<boolean> {
  const now = await timeOf(db)
  return now.getTime() - created_at.getTime() < milliseconds
}
