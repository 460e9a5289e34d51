import { stopping, tooCostly } from '../../domain/errors.ts'
import { ReadingLimit, ReadingStopped } from '../../reader/reader.ts'
import type { Work } from '../../reader/work.ts'
import type { Call } from '../endpoint.ts'
import { networkOf } from '../network-of.ts'

/** Has a thread do some work for a caller, at the expense of the caller's address. */
export async function readFor<Input, Output>(
  { ctx, request }: Call,
  work: Work<Input, Output>,
  input: Input,
): Promise<Output> {
  try {
    const key = networkOf(request.ip)
    const { result } = await ctx.lintBudget.spend(key, () =>
      ctx.reader.run(work, input, { turn: { of: 'calls', key } }),
    )
    return result
  } catch (error) {
    if (error instanceof ReadingStopped) throw stopping()
    if (!(error instanceof ReadingLimit)) throw error
    throw tooCostly(error.message)
  }
}
