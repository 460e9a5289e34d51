import { internalError } from '../domain/decision.ts'
import { updateUndecidedRequest } from '../store/requests.ts'
import type { Context } from './context.ts'
import { isRejectionReported } from './report/rejection-reported.ts'
import { statusStream } from './report/streams.ts'
import { transact } from './transact.ts'

/** Rejects a request after its last attempt has failed, so that it does not wait forever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await transact(ctx, async (tx) => {
    const request = await updateUndecidedRequest(tx.db, requestId, {
      ...internalError,
      state: 'finished',
      result: 'rejected',
      finished_at: tx.now(),
    })
    if (!request?.head_commit || !isRejectionReported(tx, request, internalError.reason)) return
    const { repository_id, head_commit, event_type } = request
    const stream = statusStream(tx, repository_id, head_commit, event_type)
    await tx.announce('status:skipped', stream, { request_id: requestId })
  })
}
