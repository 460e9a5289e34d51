import { isFromFork, mergeRef, type PullRequest } from '../../domain/commit/commit.ts'
import type { PullRequestEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import type { RejectionReason, Request } from '../../domain/request/request.ts'
import { asksForDraft, renameBase, wasBuiltInto } from '../../store/commits/bases.ts'
import { findPullRequestOf, putPullRequest } from '../../store/commits/pull-requests.ts'
import {
  endApprovals,
  buildsOfEarlierHeads,
  buildsToApprove,
} from '../../store/requests/approvals.ts'
import { insertRequest, newestRequestOfPull } from '../../store/requests/requests.ts'
import { releaseRequests } from '../../store/requests/undecided-requests.ts'
import { cancelUnapproved, otherHead } from '../requests/cancel-unapproved.ts'
import { announceCommit, announceUndecided } from '../statuses/announce-commit.ts'
import type { Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'

const buildingActions = ['opened', 'reopened', 'synchronize']

/** The pull request is to be fetched: it changed twice within a second, the precision of its times. */
export const pullInDoubt = Symbol('pull request in doubt')

/** Whether the base branch was merely renamed is to be checked at the code host (D53). */
export const baseInDoubt = Symbol('base in doubt')

/** The fields in which two events about the same second may differ. */
export type CurrentPull = Pick<PullRequest, 'head_sha' | 'base_ref' | 'state'>

/** Facts about a pull request fetched from the code host. */
export interface AskedPull {
  /** Its current state; null if the code host does not show it. */
  current?: CurrentPull | null
  /** Whether its former base branch is gone. */
  isBaseGone?: boolean
}

/** Stores the current state of a pull request, and creates a request if its head or base is new. */
export async function receivePullRequest(
  tx: Transaction,
  repository: Repository,
  event: PullRequestEvent,
  { current, isBaseGone }: AskedPull = {},
): Promise<EventOutcome | typeof pullInDoubt | typeof baseInDoubt> {
  const { head, base, number } = event
  const known = await findPullRequestOf(tx.db, repository.id, number)
  if (current === undefined && known && isSameSecond(known, event)) return pullInDoubt
  const mayBeRenamed = known !== undefined && (await isSameBase(tx, known, event))
  if (mayBeRenamed && isBaseGone === undefined) return baseInDoubt
  const isRenamed = mayBeRenamed && isBaseGone === true
  // A late event, received after an event about a later change, does not change the stored state.
  const pull =
    known && isLate(known, event, current)
      ? known
      : await putPullRequest(tx.db, pullOf(repository, event))
  if (known && known.head_sha !== pull.head_sha) await endEarlierHeads(tx, pull)
  else if (known && known.base_ref !== pull.base_ref) {
    await (isRenamed ? renameBase(tx.db, pull, known.base_ref) : endApprovals(tx.db, pull))
  }
  if (pull.state === 'closed') await endUnapproved(tx, pull)
  if (known) announceMoved(tx, known, pull)
  // This event may settle requests that wait for a merge commit.
  for (const request_id of await releaseRequests(tx.db, pull.id)) {
    tx.follow('request.accept', { request_id })
  }

  if (isRenamed) return { noted: `the base of pull request ${number} is called ${base.ref} now` }
  const builds =
    buildingActions.includes(event.action) ||
    event.retargeted ||
    (known?.draft === !pull.draft && (await asksForDraft(tx.db, pull)))
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
  await announceUndecided(tx, request)
  return { request }
}

/** Whether the new base of a retargeted pull request may be the former one under another name. */
async function isSameBase(
  { db }: Transaction,
  known: PullRequest,
  { retargeted, base, head }: PullRequestEvent,
): Promise<boolean> {
  if (!retargeted || known.base_ref === base.ref || known.head_sha !== head.sha) return false
  return wasBuiltInto(db, known, base)
}

/** Announces the former and the current head of a changed pull request: their statuses may differ now. */
function announceMoved(tx: Transaction, known: PullRequest, pull: PullRequest): void {
  const { repository_id } = pull
  const changed = (['head_sha', 'base_ref', 'state'] as const).filter(
    (name) => known[name] !== pull[name],
  )
  if (changed.length === 0) return
  for (const sha of new Set([known.head_sha, pull.head_sha])) {
    announceCommit(tx, { repository_id, sha }, ['pr'])
  }
}

function pullOf({ id }: Repository, event: PullRequestEvent) {
  const { head, base, number, title, state, draft, html_url } = event
  return {
    repository_id: id,
    number,
    title,
    state,
    draft,
    html_url,
    author_login: event.author_login,
    author_codehost_id: event.author_codehost_id,
    head_repository_codehost_id: head.repository_codehost_id,
    head_slug: head.slug,
    head_ref: head.ref,
    head_sha: head.sha,
    base_ref: base.ref,
    changed_at: event.changed_at,
  }
}

function isSameSecond(known: PullRequest, event: PullRequestEvent): boolean {
  const { changed_at, head, base, state } = event
  const isSame = changed_at !== null && known.changed_at?.getTime() === changed_at.getTime()
  return isSame && !isAt(known, { head_sha: head.sha, base_ref: base.ref, state })
}

function isAt(known: PullRequest, { head_sha, base_ref, state }: CurrentPull): boolean {
  return known.head_sha === head_sha && known.base_ref === base_ref && known.state === state
}

function isLate(
  known: PullRequest,
  event: PullRequestEvent,
  current: CurrentPull | null | undefined,
): boolean {
  if (isSameSecond(known, event))
    return current !== null && current !== undefined && isAt(known, current)
  const { changed_at } = event
  return known.changed_at !== null && changed_at !== null && changed_at < known.changed_at
}

function actionOf({ action, retargeted }: PullRequestEvent): string {
  return retargeted ? 'synchronize' : action
}

/**
 * The request that an event only repeats: the newest request, while it is about the same head and base
 * (WH-14, WH-35, WH-37). A head or base that comes back after another one is built again, and so is a
 * reopened pull request.
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

/** Rejections that do not depend on the head itself: another event about the head creates a new request. */
const mayPass: readonly RejectionReason[] = [
  'head_moved',
  'no_commit',
  'no_merge_commit',
  'internal_error',
]

/**
 * Ends the approvals of a fork's earlier heads, and cancels their jobs that have not started, so that
 * no job of them starts from now on (D35). The caller holds the lock on the pull request, which has its
 * new head already.
 */
async function endEarlierHeads(
  tx: Transaction,
  pull: Pick<PullRequest, 'id' | 'head_sha' | 'base_ref'>,
): Promise<void> {
  const ids = await buildsOfEarlierHeads(tx.db, pull)
  await endApprovals(tx.db, pull)
  for (const id of ids) await cancelUnapproved(tx, id, otherHead)
}

/** Cancels the builds of a closed pull request that wait for approval: when reopened, it is built again. */
async function endUnapproved(
  tx: Transaction,
  { id, head_sha }: Pick<PullRequest, 'id' | 'head_sha'>,
): Promise<void> {
  const waiting = await buildsToApprove(tx.db, { pull_request_id: id, head_commit: head_sha })
  for (const build of waiting) await cancelUnapproved(tx, build, 'the pull request was closed')
}
