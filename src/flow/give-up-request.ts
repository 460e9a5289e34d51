import { internalError } from '../domain/request/decision.ts'
import { statusKindsOf } from '../domain/status.ts'
import { findCommit } from '../store/commits.ts'
import type { Context } from './context.ts'
import { announceStatus } from './report/announce-status.ts'
import { isRejectionReported } from './report/rejection-reported.ts'
import { rejectUndecided } from './request/reject-undecided.ts'
import { transact } from './transact.ts'

/** Rejects a request after its last attempt has failed, so that it does not wait forever. */
export async function giveUpRequest(ctx: Context, requestId: number): Promise<void> {
  await transact(ctx, async (tx) => {
    const request = await rejectUndecided(tx, requestId, internalError)
    if (!request || !isRejectionReported(tx, request, internalError, [])) return
    const { repository_id, head_commit, commit_id } = request
    const sha = head_commit ?? (commit_id && (await findCommit(tx.db, commit_id))?.sha)
    if (!sha) return
    const to = { repository_id, sha, kinds: statusKindsOf(request) }
    announceStatus(tx, 'status:skipped', to, { request_id: requestId })
  })
}
