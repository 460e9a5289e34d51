import { stopping, tooCostly } from '../../domain/errors.ts'
import { type Done, ReadingLimit, ReadingStopped } from '../../reader/reader.ts'
import type { Turn } from '../../reader/turns.ts'
import type { Work } from '../../reader/work.ts'
import type { Call } from '../core/endpoint.ts'
import { networkOf } from '../core/network-of.ts'

/** Runs work in a thread for a caller, at the expense of the caller's address. */
export function readFor<Input, Output>(
  call: Call,
  work: Work<Input, Output>,
  input: Input,
): Promise<Output> {
  return atExpenseOf(call, (turn) => call.ctx.reader.run(work, input, { turn }))
}

/** Runs a task of several pieces of work, at the expense of the caller's address. */
export async function atExpenseOf<Output>(
  call: Call,
  task: (turn: Turn) => Promise<Done<Output>>,
): Promise<Output> {
  const { lintBudget } = call.ctx
  const key = networkOf(call.request.ip)
  try {
    const { result } = await lintBudget.spend(key, () => task({ of: 'calls', key }))
    call.quota = lintBudget.quotaOf(key)
    return result
  } catch (error) {
    if (error instanceof ReadingStopped) throw stopping()
    if (!(error instanceof ReadingLimit)) throw error
    throw tooCostly(error.message)
  }
}
