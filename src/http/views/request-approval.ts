import { type Approval, approvalSeconds } from '../../domain/request/approval.ts'
import type { Request } from '../../domain/request/request.ts'
import { shownTime } from '../../domain/time/shown-time.ts'
import { approvalOf } from '../../store/requests/approvals.ts'
import type { Database } from '../../store/tables.ts'

/**
 * The state of the approval that a request from a fork needs; null for other requests. A request that
 * was rejected because its pull request has another head can no longer be approved (D35).
 */
export async function requestApproval(db: Database, request: Request): Promise<Approval | null> {
  if (request.from_fork && request.reason === 'head_moved') {
    return { state: 'superseded', by: null, at: null, until: null }
  }
  return approvalOf(db, request, approvalSeconds)
}

/** The state of an approval in words. */
export function approvalText(approval: Approval): string {
  if (approval.state === 'waiting') {
    return 'none yet: a build of a fork waits until a maintainer approves this commit, on the page of the build'
  }
  if (approval.state === 'unneeded') {
    return 'not needed here (FORK_APPROVAL): its jobs run without secrets, also where the settings share them with forks'
  }
  if (approval.state === 'superseded') {
    return 'void: the pull request has another head, and only that one can be approved'
  }
  const given = `by ${approval.by ?? 'a user who is deleted'} at ${shownTime(approval.at)}`
  const until = shownTime(approval.until)
  return approval.state === 'approved'
    ? `${given}, until ${until} or the next head`
    : `expired at ${until} (given ${given}). Builds that start or restart from now on wait for a new approval`
}
