import type { Build } from '../../domain/build.ts'
import { unrestartable } from '../../domain/errors.ts'
import { approvalSeconds } from '../../domain/request/approval.ts'
import type { Request } from '../../domain/request/request.ts'
import {
  endAutomaticApprovals,
  type HeadState,
  isOfVouchedAuthor,
  putAutomaticApproval,
  stateOfHead,
} from '../../store/requests/approvals.ts'
import { findRequest } from '../../store/requests/requests.ts'
import type { Transaction } from '../transact.ts'

type AboutHead = Pick<Request, 'from_fork' | 'pull_request_id' | 'head_commit' | 'base_ref'>

type Deciding = Pick<Transaction, 'db' | 'config'>

/** The columns of a build that decide whether it can run. */
export type ApprovalColumns = Pick<Build, 'waits_for_approval' | 'without_approval'>

/**
 * Whether a request's build must wait for a maintainer's approval, like every build from a fork (SV-26) that
 * FORK_APPROVAL does not let run without one; and whether no one can approve it now, because the pull
 * request has another head. Only this function decides that, for new and for restarted builds.
 */
export async function awaitsApproval(
  tx: Deciding,
  request: AboutHead,
): Promise<ApprovalColumns & Pick<HeadState, 'superseded'>> {
  const ofOwn = { waits_for_approval: false, without_approval: false, superseded: false }
  if (!request.from_fork) return ofOwn
  const { approved, superseded } = await stateOfHead(tx.db, request, approvalSeconds)
  if (approved) return ofOwn
  const without_approval = !superseded && (await runsWithout(tx, request))
  return { waits_for_approval: !without_approval, without_approval, superseded }
}

/**
 * Whether a fork's head runs without an approval. If not, an approval that an earlier setting gave
 * it ends.
 */
async function runsWithout({ db, config }: Deciding, request: AboutHead): Promise<boolean> {
  const { pull_request_id } = request
  const { forkApproval } = config
  const isFree =
    pull_request_id !== null &&
    (forkApproval === 'never' ||
      (forkApproval === 'first' && (await isOfVouchedAuthor(db, request))))
  if (isFree) return putAutomaticApproval(db, request)
  await endAutomaticApprovals(db, pull_request_id)
  return false
}

/** The approval columns of a build to restart. Throws if no one can approve it now. */
export async function awaitsApprovalAgain(
  tx: Deciding,
  { request_id }: Pick<Build, 'request_id'>,
): Promise<ApprovalColumns> {
  const request = await findRequest(tx.db, request_id)
  if (!request) return { waits_for_approval: true, without_approval: false }
  const { superseded, ...columns } = await awaitsApproval(tx, request)
  if (!superseded) return columns
  throw unrestartable(
    'the pull request comes from a fork and has new commits: only its latest commit is built',
  )
}
