import { statusKindsOf, type StatusKind } from '../status.ts'
import { hasFaultyCondition } from './decision.ts'
import type { Request } from './request.ts'

/** What of a request decides what its commit shows. */
export type RequestOnCommit = Pick<
  Request,
  'id' | 'event_type' | 'ref' | 'pull_request_id' | 'result' | 'reason' | 'checks'
>

/**
 * Whether another of the requests about a commit has a result in this context, or may come to have one,
 * that the success of this one, which is not built, must not replace. Of those about one pull
 * request the newest counts.
 */
export function isContested(
  { id }: Pick<Request, 'id'>,
  about: readonly RequestOnCommit[],
  kind: StatusKind,
): boolean {
  const outdone = about.filter((one) => about.some((other) => isOutdoneBy(other, one)))
  if (outdone.some((one) => one.id === id)) return true
  return about.some(
    (other) =>
      other.id !== id &&
      !outdone.includes(other) &&
      statusKindsOf(other).includes(kind) &&
      hasResult(other),
  )
}

/**
 * The request whose build this context shows where this one has nothing to say about the commit itself: the
 * newest that is built, those aside that newer ones about their pull request have replaced.
 */
export function standingBeside(
  { id }: Pick<Request, 'id'>,
  about: readonly RequestOnCommit[],
  kind: StatusKind,
): RequestOnCommit | undefined {
  const counted = about.filter((one) => one.id === id || one.result === 'accepted')
  return counted.findLast(
    (one) =>
      one.id !== id &&
      statusKindsOf(one).includes(kind) &&
      !counted.some((newer) => isOutdoneBy(newer, one)),
  )
}

/** Whether a newer request about the same pull request is built. */
export function isBuiltAnew(request: Request, about: readonly RequestOnCommit[]): boolean {
  return about.some((newer) => newer.result === 'accepted' && isOutdoneBy(newer, request))
}

/** Whether a request is about the same pull request, and newer. */
function isOutdoneBy(newer: RequestOnCommit, older: RequestOnCommit): boolean {
  const { pull_request_id, ref } = older
  return (
    pull_request_id !== null &&
    newer.pull_request_id === pull_request_id &&
    newer.ref === ref &&
    newer.id > older.id
  )
}

function hasResult({ result, reason, checks }: RequestOnCommit): boolean {
  if (result !== 'rejected') return true
  return hasFaultyCondition(checks) || reason === 'internal_error'
}
