import { stopping, tooCostly } from '../../domain/errors.ts'
import { type Done, ReadingLimit, ReadingStopped } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import type { Work } from '../../reader/work.ts'
import type { Call } from '../endpoint.ts'
import { networkOf } from '../network-of.ts'

/** Has a thread do some work for a caller, at the expense of the caller's address. */
export function readFor<Input, Output>(
  call: Call,
  work: Work<Input, Output>,
  input: Input,
): Promise<Output> {
  return atExpenseOf(call, (turn) => call.ctx.reader.run(work, input, { turn }))
}

/** The same for what takes more than one piece of work. */
export async function atExpenseOf<Output>(
  { ctx, request }: Call,
  task: (turn: Turn) => Promise<Done<Output>>,
): Promise<Output> {
  try {
    const key = networkOf(request.ip)
    const { result } = await ctx.lintBudget.spend(key, () => task({ of: 'calls', key }))
    return result
  } catch (error) {
    if (error instanceof ReadingStopped) throw stopping()
    if (!(error instanceof ReadingLimit)) throw error
    throw tooCostly(error.message)
  }
}
