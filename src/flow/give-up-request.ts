import { internalError } from '../domain/decision.ts'
import { updateUndecidedRequest } from '../store/requests.ts'
import type { Context } from './context.ts'

/** The last try has failed: the request ends with a sentence instead of waiting for ever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await updateUndecidedRequest(ctx.db, requestId, {
    ...internalError,
    state: 'finished',
    result: 'rejected',
    finished_at: ctx.now(),
  })
}
