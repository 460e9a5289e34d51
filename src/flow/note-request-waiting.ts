import { CodehostError } from '../codehost/codehost.ts'
import { updateUndecidedRequest } from '../store/requests.ts'
import type { Context } from './context.ts'

/** Stores on the request that it waits, if the code host is unreachable. The queue retries it later. */
export async function noteRequestWaiting(
  ctx: Context,
  requestId: number,
  error: unknown,
): Promise<void> {
  if (!(error instanceof CodehostError) || !error.temporary) return
  await updateUndecidedRequest(ctx.db, requestId, {
    message: `waiting: ${error.message}; the request is retried later`,
  })
}
