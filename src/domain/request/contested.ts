import { statusKindsOf, type StatusKind } from '../status.ts'
import { hasFaultyCondition } from './decision.ts'
import type { Request } from './request.ts'

/** What of a request decides what its commit shows. */
export type ShownRequest = Pick<
  Request,
  'id' | 'event_type' | 'ref' | 'pull_request_id' | 'result' | 'reason' | 'checks'
>

/**
 * Whether another request about the same commit has a result in this context, or may come to have one,
 * that the success of a request which is not built must not replace. Of those about one pull
 * request the newest counts.
 */
export function isContested(
  request: ShownRequest,
  about: readonly ShownRequest[],
  kind: StatusKind,
): boolean {
  const isCurrent = (one: ShownRequest) => !about.some((other) => isOutdoneBy(other, one))
  if (!isCurrent(request)) return true
  return about.some(
    (other) =>
      other.id !== request.id &&
      statusKindsOf(other).includes(kind) &&
      hasResult(other) &&
      isCurrent(other) &&
      !isOutdoneBy(request, other),
  )
}

/** Whether a request is about the same pull request, and newer. */
function isOutdoneBy(newer: ShownRequest, older: ShownRequest): boolean {
  const { pull_request_id, ref } = older
  return (
    pull_request_id !== null &&
    newer.pull_request_id === pull_request_id &&
    newer.ref === ref &&
    newer.id > older.id
  )
}

function hasResult({ result, reason, checks }: ShownRequest): boolean {
  if (result !== 'rejected') return true
  return hasFaultyCondition(checks) || reason === 'internal_error'
}
