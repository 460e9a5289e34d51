import { type Approval, approvalSeconds } from '../../domain/request/approval.ts'
import type { Request } from '../../domain/request/request.ts'
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
