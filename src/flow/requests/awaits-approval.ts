import type { Build } from '../../domain/build.ts'
import { unrestartable } from '../../domain/errors.ts'
import { approvalSeconds } from '../../domain/request/approval.ts'
import type { Request } from '../../domain/request/request.ts'
import { type HeadState, stateOfHead } from '../../store/requests/approvals.ts'
import { findRequest } from '../../store/requests/requests.ts'
import type { Transaction } from '../transact.ts'

type AboutHead = Pick<Request, 'from_fork' | 'pull_request_id' | 'head_commit' | 'base_ref'>

/**
 * Whether a request's build must wait for a maintainer's approval, like every build from a fork (SV-26);
 * and whether no one can approve it now, because the pull request has another head. Only this function
 * decides that, for new and for restarted builds.
 */
export async function awaitsApproval(
  { db }: Pick<Transaction, 'db'>,
  request: AboutHead,
): Promise<Pick<HeadState, 'superseded'> & { waits: boolean }> {
  if (!request.from_fork) return { waits: false, superseded: false }
  const { approved, superseded } = await stateOfHead(db, request, approvalSeconds)
  return { waits: !approved, superseded }
}

/** Whether a build to restart must wait for approval. Throws if no one can approve it now. */
export async function awaitsApprovalAgain(
  tx: Pick<Transaction, 'db'>,
  { request_id }: Pick<Build, 'request_id'>,
): Promise<boolean> {
  const request = await findRequest(tx.db, request_id)
  if (!request) return true
  const { waits, superseded } = await awaitsApproval(tx, request)
  if (!superseded) return waits
  throw unrestartable(
    'the pull request comes from a fork and has new commits: only its latest commit is built',
  )
}
