import { CodehostError } from '../../codehost/codehost.ts'
import { internalError, type Rejection } from '../../domain/request/decision.ts'
import type { Request } from '../../domain/request/request.ts'
import { updateUndecidedRequest } from '../../store/requests/undecided-requests.ts'
import { endReopened } from '../builds/process-again.ts'
import type { Context } from '../context.ts'
import { announceRequest } from '../statuses/announce-commit.ts'
import { transact, type Transaction } from '../transact.ts'

/** Rejects a request after its last attempt has failed, so that it does not wait forever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await transact(ctx, async (tx) => {
    const request = await rejectUndecided(tx, requestId, internalError)
    if (request) await announceRequest(tx, request)
  })
}

/** Stores on a request that it waits, if the code host failed temporarily. The queue retries it later. */
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

/** Rejects an undecided request, before any check was made. Undefined if it is already decided. */
export async function rejectUndecided(
  tx: Transaction,
  requestId: number,
  rejection: Rejection,
): Promise<Request | undefined> {
  const request = await updateUndecidedRequest(tx.db, requestId, {
    ...rejection,
    state: 'finished',
    result: 'rejected',
    finished_at: tx.now(),
  })
  if (request) await endReopened(tx, request)
  return request
}
