import { approvalSeconds } from '../../domain/request/approval.ts'
import type { Build } from '../../domain/build.ts'
import { unrestartable } from '../../domain/errors.ts'
import type { Request } from '../../domain/request/request.ts'
import { type HeadState, stateOfHead } from '../../store/approvals.ts'
import { findRequest } from '../../store/requests.ts'
import type { Transaction } from '../transact.ts'

type AboutHead = Pick<Request, 'from_fork' | 'pull_request_id' | 'head_commit' | 'base_ref'>

/**
 * Whether what a request builds must not run before a maintainer has approved it, as all that comes
 * from a fork (SV-26); and whether no one can approve it any more, since the pull request has another
 * head. This is the one place that decides it, for new builds and for restarted ones.
 */
export async function awaitsApproval(
  { db }: Pick<Transaction, 'db'>,
  request: AboutHead,
): Promise<Pick<HeadState, 'superseded'> & { waits: boolean }> {
  if (!request.from_fork) return { waits: false, superseded: false }
  const { approved, superseded } = await stateOfHead(db, request, approvalSeconds)
  return { waits: !approved, superseded }
}

/** The same for a build that is to run again. Throws where no one can approve it any more. */
export async function awaitsApprovalAgain(
  tx: Pick<Transaction, 'db'>,
  { request_id }: Pick<Build, 'request_id'>,
): Promise<boolean> {
  const request = await findRequest(tx.db, request_id)
  if (!request) return true
  const { waits, superseded } = await awaitsApproval(tx, request)
  if (!superseded) return waits
  throw unrestartable(
    'the pull request comes from a fork and has another head by now: only that one is built',
  )
}
