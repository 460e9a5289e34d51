import { networkOf } from './network-of.ts'
import { tooCostly } from '../../domain/errors.ts'
import { ReadingLimit } from '../../reader/reader.ts'
import type { Work } from '../../reader/work.ts'
import type { Call } from '../endpoint.ts'

/** Has a thread do some work for a caller, at the expense of the caller's address. */
export async function readFor<Input, Output>(
  { ctx, request }: Call,
  work: Work<Input, Output>,
  input: Input,
): Promise<Output> {
  try {
    const { result } = await ctx.lintBudget.spend(networkOf(request.ip), () =>
      ctx.reader.run(work, input),
    )
    return result
  } catch (error) {
    if (!(error instanceof ReadingLimit)) throw error
    throw tooCostly(error.message)
  }
}
