import type { Rejection } from '../../domain/request/decision.ts'
import type { Request } from '../../domain/request/request.ts'
import { updateUndecidedRequest } from '../../store/requests.ts'
import { endReopened } from '../build/process-again.ts'
import type { Transaction } from '../transact.ts'

/** Rejects a request that nothing was found out about. Undefined where it is decided already. */
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
