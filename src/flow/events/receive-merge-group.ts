import type { PullRequest } from '../../domain/commit/commit.ts'
import { type MergeGroupEvent, readRef } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import { leftQueueAction, queuedPullNumber } from '../../domain/request/merge-queue.ts'
import type { Request } from '../../domain/request/request.ts'
import { insertCommit } from '../../store/commits/commits.ts'
import { ensurePullRequest } from '../../store/commits/pull-requests.ts'
import {
  insertRequest,
  newestRequestOfPull,
  setRequestAction,
} from '../../store/requests/requests.ts'
import { announceUndecided } from '../statuses/announce-commit.ts'
import type { Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'

/** Creates a request for a commit of a merge queue, unless a recent one about it exists. */
export async function receiveMergeGroup(
  tx: Transaction,
  repository: Repository,
  event: MergeGroupEvent,
): Promise<EventOutcome> {
  const { action, ref, head_commit } = event
  if (action !== 'checks_requested')
    return { ignored: `a merge group that was ${action} builds nothing` }
  const number = queuedPullNumber(ref)
  if (number === null) return { ignored: `${ref} names no pull request of a merge queue` }

  const pull = await pullOfQueue(tx, repository, event, number)
  const at = { pull_request_id: pull.id, ref }
  const earlier = await newestRequestOfPull(tx.db, at, duplicateSeconds)
  if (earlier?.head_commit === head_commit.sha) {
    const about = `duplicate of the event that created request ${earlier.id} for this commit`
    // A commit that left the queue and comes back is built again.
    if (earlier.reason === null && earlier.state !== 'canceled') return { ignored: about }
    if (earlier.reason !== null && earlier.action === leftQueueAction) {
      // The next event of this kind is not a duplicate.
      await setRequestAction(tx.db, earlier.id, action)
      return { ignored: `${about}, which has left the queue` }
    }
  }
  const request = await requestOfQueue(tx, repository, event, pull)
  await announceUndecided(tx, request)
  return { request }
}

/**
 * Creates a request about a commit whose departure from its queue is its first event, so that a late
 * earlier event finds the request. Undefined if the queue's ref names no pull request.
 */
export async function receiveLeftGroup(
  tx: Transaction,
  repository: Repository,
  event: MergeGroupEvent,
): Promise<Request | undefined> {
  const number = queuedPullNumber(event.ref)
  if (number === null) return
  const pull = await pullOfQueue(tx, repository, event, number)
  return requestOfQueue(tx, repository, event, pull)
}

function pullOfQueue(
  tx: Transaction,
  repository: Repository,
  { ref, base, head_commit }: MergeGroupEvent,
  number: number,
): Promise<PullRequest> {
  return ensurePullRequest(tx.db, {
    repository_id: repository.id,
    number,
    title: `Pull request ${number}`,
    state: 'open',
    head_ref: readRef(ref).name,
    head_sha: head_commit.sha,
    base_ref: readRef(base.ref).name,
    head_repository_codehost_id: repository.codehost_id,
    changed_at: null,
  })
}

/**
 * Creates a request of the pull request, whose queue commit exists already. Only users with push access to
 * the base put it there, so the request does not count as one from a fork (D37).
 */
async function requestOfQueue(
  tx: Transaction,
  repository: Repository,
  event: MergeGroupEvent,
  pull: PullRequest,
): Promise<Request> {
  const { action, ref, base, head_commit } = event
  const branch = readRef(base.ref).name
  const commit = await insertCommit(tx.db, {
    ...head_commit,
    repository_id: repository.id,
    ref,
    branch,
    tag_name: null,
    compare_url: pull.html_url,
  })
  return insertRequest(tx.db, {
    ...newRequest(repository, event),
    pull_request_id: pull.id,
    head_commit: head_commit.sha,
    event_type: 'pull_request',
    action,
    from_fork: false,
    ref,
    base_commit: base.sha,
    base_ref: branch,
    commit_id: commit.id,
  })
}
