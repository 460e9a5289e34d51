import type { Request } from '../../domain/request/request.ts'
import { timeOf } from '../../store/age.ts'
import type { Context } from '../context.ts'

/**
 * Milliseconds after an event within which the code host may not show yet what the event told of: it
 * reads from copies, which can be behind.
 */
export const longestLag = 60_000

/** Whether it came less than so many milliseconds ago, by the database's clock. */
export async function isYounger(
  { db }: Context,
  { created_at }: Pick<Request, 'created_at'>,
  milliseconds: number,
): Promise<boolean> {
  const now = await timeOf(db)
  return now.getTime() - created_at.getTime() < milliseconds
}
