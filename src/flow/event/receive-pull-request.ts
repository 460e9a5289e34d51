import { isFromFork, type PullRequest } from '../../domain/commit.ts'
import type { PullRequestEvent } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import { putPullRequest } from '../../store/pull-requests.ts'
import { findRequestOfHead, insertRequest, releaseRequests } from '../../store/requests.ts'
import type { Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'

const buildingActions = ['opened', 'reopened', 'synchronize']

/** Stores the current state of a pull request, and creates a request where its head or base is new. */
export async function receivePullRequest(
  tx: Transaction,
  repository: Repository,
  event: PullRequestEvent,
): Promise<EventOutcome> {
  const { head, base, number } = event
  const pull = await putPullRequest(tx.db, pullOf(repository, event))
  // Requests that wait for a merge commit may be settled by what just happened.
  for (const request_id of await releaseRequests(tx.db, pull.id)) {
    tx.follow('request.accept', { request_id })
  }

  const builds = buildingActions.includes(event.action) || event.retargeted
  if (!builds) return { noted: `a pull request that was ${event.action} builds nothing` }
  if (event.state === 'closed') return { ignored: `pull request ${number} is closed` }

  const earlier = await findEarlier(tx, pull, event)
  if (earlier) return { ignored: `request ${earlier.id} is about the same commit` }

  const request = await insertRequest(tx.db, {
    ...(await newRequest(tx, repository, event)),
    event_type: 'pull_request',
    action: actionOf(event),
    pull_request_id: pull.id,
    from_fork: isFromFork(pull, repository),
    ref: `refs/pull/${number}/merge`,
    base_commit: base.sha,
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
  }
}

function actionOf({ action, retargeted }: PullRequestEvent): string {
  return retargeted ? 'synchronize' : action
}

/** WH-37: a new base makes another merge commit, so only the same head on the same base is a repeat. */
function findEarlier(
  tx: Transaction,
  { id }: PullRequest,
  event: PullRequestEvent,
): Promise<Pick<Request, 'id'> | undefined> {
  const { head, base, retargeted } = event
  const action = actionOf(event)
  const ofHead = { pull_request_id: id, head_commit: head.sha }
  if (action !== 'synchronize') {
    return findRequestOfHead(tx.db, { ...ofHead, action, within: duplicateSeconds })
  }
  return findRequestOfHead(tx.db, retargeted ? { ...ofHead, base_commit: base.sha } : ofHead)
}
