import { internalError } from '../domain/decision.ts'
import { updateUndecidedRequest } from '../store/requests.ts'
import type { Context } from './context.ts'

/** Rejects a request after its last attempt has failed, so that it does not wait forever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await updateUndecidedRequest(ctx.db, requestId, {
    ...internalError,
    state: 'finished',
    result: 'rejected',
    finished_at: ctx.now(),
  })
}
