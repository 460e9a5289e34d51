import { statusKindsOf, type StatusKind } from '../status.ts'
import { hasFaultyCondition, isSkippedRightly } from './decision.ts'
import type { Request } from './request.ts'

/** What of a request decides what its commit shows. */
export type RequestOnCommit = Pick<
  Request,
  'id' | 'event_type' | 'ref' | 'pull_request_id' | 'result' | 'reason' | 'checks' | 'from_fork'
> & {
  /** Whether its pull request is closed or has another head by now, or its group has left the merge queue. */
  is_over: boolean
}

/**
 * Whether another of the requests about a commit has a result in this context, or may come to have one,
 * that the success of this one, which is not built, must not replace. Of those about one pull
 * request the newest counts, and none that is over.
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
      !other.is_over &&
      !outdone.includes(other) &&
      statusKindsOf(other).includes(kind) &&
      hasResult(other),
  )
}

/**
 * The requests whose builds this context may show where this one has nothing to say about the commit
 * itself: the newest first, those that are over last, and without those that newer ones about their
 * pull request have replaced.
 */
export function standingBeside(
  { id }: Pick<Request, 'id'>,
  about: readonly RequestOnCommit[],
  kind: StatusKind,
): RequestOnCommit[] {
  const counted = about.filter((one) => one.id === id || one.result === 'accepted')
  return counted
    .filter(
      (one) =>
        one.id !== id &&
        statusKindsOf(one).includes(kind) &&
        !counted.some((newer) => isOutdoneBy(newer, one)),
    )
    .toSorted((a, b) => Number(a.is_over) - Number(b.is_over) || b.id - a.id)
}

/** Whether a newer push of the commit of a merge queue is built: then pushes have its result. */
export function isPushedSince(
  { id, event_type }: Pick<Request, 'id' | 'event_type'>,
  about: readonly RequestOnCommit[],
): boolean {
  if (event_type !== 'pull_request') return false
  return about.some(
    (newer) => newer.id > id && newer.event_type === 'push' && newer.result === 'accepted',
  )
}

/**
 * The newest request that is skipped on purpose and whose success this context may show, since no other
 * has a result there.
 */
export function skippedAt(
  about: readonly RequestOnCommit[],
  kind: StatusKind,
): RequestOnCommit | undefined {
  return about.findLast(
    (one) =>
      isSkippedRightly(one) && statusKindsOf(one).includes(kind) && !isContested(one, about, kind),
  )
}

/**
 * The requests beside this one whose reading of the build file counts: the newest of each ref. Those by
 * API are not about the file of the commit alone, and a fork decides for forks only.
 */
export function readBeside(
  { id, from_fork }: Pick<Request, 'id' | 'from_fork'>,
  about: readonly RequestOnCommit[],
): RequestOnCommit[] {
  return about.filter(
    (one) =>
      one.id !== id &&
      one.event_type !== 'api' &&
      (from_fork || !one.from_fork) &&
      !one.is_over &&
      !about.some((newer) => isOfSameRef(newer, one) && newer.id > one.id && hasDecided(newer)),
  )
}

function isOfSameRef(one: RequestOnCommit, other: RequestOnCommit): boolean {
  return (
    one.event_type === other.event_type &&
    one.pull_request_id === other.pull_request_id &&
    one.ref === other.ref
  )
}

function hasDecided(request: RequestOnCommit): boolean {
  return hasResult(request) || isSkippedRightly(request)
}

/** Whether a newer request about the same pull request is built. */
export function isBuiltAnew(request: OnRef, about: readonly RequestOnCommit[]): boolean {
  return about.some((newer) => newer.result === 'accepted' && isOutdoneBy(newer, request))
}

type OnRef = Pick<Request, 'id' | 'pull_request_id' | 'ref'>

/** Whether a request is about the same pull request, and newer. */
function isOutdoneBy(newer: OnRef, older: OnRef): boolean {
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
