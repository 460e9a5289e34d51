import { internalError } from '../domain/request/decision.ts'
import type { Context } from './context.ts'
import { announceRequest } from './report/announce-commit.ts'
import { rejectUndecided } from './request/reject-undecided.ts'
import { transact } from './transact.ts'

/** Rejects a request after its last attempt has failed, so that it does not wait forever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await transact(ctx, async (tx) => {
    const request = await rejectUndecided(tx, requestId, internalError)
    if (request) await announceRequest(tx, request)
  })
}
