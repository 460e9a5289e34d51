import { isFromFork, mergeRef, type PullRequest } from '../../domain/commit.ts'
import type { PullRequestEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import type { RejectionReason, Request } from '../../domain/request/request.ts'
import { findPullRequestOf, putPullRequest } from '../../store/pull-requests.ts'
import { insertRequest, newestRequestOfPull, releaseRequests } from '../../store/requests.ts'
import { endEarlierHeads, endUnapproved } from '../approval/end-earlier-heads.ts'
import { announceChecksBeside } from '../report/announce-checks-beside.ts'
import type { Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'

const buildingActions = ['opened', 'reopened', 'synchronize']

/** The head is to be asked of the code host, whose times are seconds: another one came in the same second. */
export const headInDoubt = Symbol('head in doubt')

/**
 * Stores the current state of a pull request, and creates a request where its head or base is new. `current`
 * is its head at the code host, where that was asked; null if there is none.
 */
export async function receivePullRequest(
  tx: Transaction,
  repository: Repository,
  event: PullRequestEvent,
  current?: string | null,
): Promise<EventOutcome | typeof headInDoubt> {
  const { head, base, number } = event
  const known = await findPullRequestOf(tx.db, repository.id, number)
  if (current === undefined && known && isSameSecond(known, event)) return headInDoubt
  // An event that comes late, after one about a later change, changes nothing here.
  const pull =
    known && isLate(known, event, current)
      ? known
      : await putPullRequest(tx.db, pullOf(repository, event))
  const hasMoved = known && known.head_sha !== pull.head_sha
  const isClosed = pull.state === 'closed'
  if (hasMoved) await endEarlierHeads(tx, pull)
  if (isClosed) await endUnapproved(tx, pull)
  if (known && (hasMoved || isClosed)) await announceChecksBeside(tx, repository.id, known)
  // Requests that wait for a merge commit may be settled by what just happened.
  for (const request_id of await releaseRequests(tx.db, pull.id)) {
    tx.follow('request.accept', { request_id })
  }

  const builds = buildingActions.includes(event.action) || event.retargeted
  if (!builds) return { noted: `a pull request that was ${event.action} builds nothing` }
  if (event.state === 'closed') return { ignored: `pull request ${number} is closed` }

  const earlier = await findEarlier(tx, pull, known, event)
  if (earlier)
    return { ignored: `duplicate of the event that created request ${earlier.id} for this commit` }

  const request = await insertRequest(tx.db, {
    ...newRequest(repository, event),
    event_type: 'pull_request',
    action: actionOf(event),
    pull_request_id: pull.id,
    from_fork: isFromFork(pull, repository),
    ref: mergeRef(number),
    base_commit: base.sha,
    base_ref: base.ref,
    head_commit: head.sha,
    mergeable_state: event.mergeable_state,
  })
  return { request }
}

function pullOf({ id }: Repository, event: PullRequestEvent) {
  const { head, base, number, title, state, draft, html_url, author_login } = event
  return {
    repository_id: id,
    number,
    title,
    state,
    draft,
    html_url,
    author_login,
    head_repository_codehost_id: head.repository_codehost_id,
    head_slug: head.slug,
    head_ref: head.ref,
    head_sha: head.sha,
    base_ref: base.ref,
    changed_at: event.changed_at,
  }
}

function isSameSecond(known: PullRequest, { changed_at, head }: PullRequestEvent): boolean {
  const isSame = changed_at !== null && known.changed_at?.getTime() === changed_at.getTime()
  return isSame && known.head_sha !== head.sha
}

function isLate(
  known: PullRequest,
  event: PullRequestEvent,
  current: string | null | undefined,
): boolean {
  if (isSameSecond(known, event)) return known.head_sha === current
  const { changed_at } = event
  return known.changed_at !== null && changed_at !== null && changed_at < known.changed_at
}

function actionOf({ action, retargeted }: PullRequestEvent): string {
  return retargeted ? 'synchronize' : action
}

/**
 * The request that an event only repeats: the newest one, while it is about the same head and base
 * (WH-14, WH-35, WH-37). A head or a base that comes back after another is built again, and so is a
 * pull request that was closed.
 */
async function findEarlier(
  tx: Transaction,
  pull: PullRequest,
  known: PullRequest | undefined,
  event: PullRequestEvent,
): Promise<Pick<Request, 'id'> | undefined> {
  const action = actionOf(event)
  const at = { pull_request_id: pull.id, ref: mergeRef(pull.number) }
  const newest = await newestRequestOfPull(tx.db, at, duplicateSeconds)
  if (!newest || newest.head_commit !== event.head.sha) return
  if (newest.base_ref !== null && newest.base_ref !== event.base.ref) return
  if (newest.reason !== null && mayPass.includes(newest.reason)) return
  if (action === 'synchronize') return newest
  const isSame = newest.is_recent && newest.action === action && known?.state === 'open'
  return isSame ? newest : undefined
}

/** Rejections that say nothing of the head itself: when it is heard of again, it is looked at again. */
const mayPass: readonly RejectionReason[] = [
  'head_moved',
  'no_commit',
  'no_merge_commit',
  'internal_error',
]
