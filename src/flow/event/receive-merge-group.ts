import { type MergeGroupEvent, readRef } from '../../domain/event.ts'
import { queuedPullNumber } from '../../domain/request/merge-queue.ts'
import type { Repository } from '../../domain/repository.ts'
import { insertCommit } from '../../store/commits.ts'
import { ensurePullRequest } from '../../store/pull-requests.ts'
import { insertRequest, newestRequestOfPull } from '../../store/requests.ts'
import type { Transaction } from '../transact.ts'
import type { EventOutcome } from './event-outcome.ts'
import { duplicateSeconds, newRequest } from './new-request.ts'

/**
 * Creates a request for a commit of a merge queue: one of a pull request, whose commit is there
 * already. Only people who can push to the base put it there, so it comes from no fork (D37).
 */
export async function receiveMergeGroup(
  tx: Transaction,
  repository: Repository,
  event: MergeGroupEvent,
): Promise<EventOutcome> {
  const { action, ref, base, head_commit } = event
  if (action !== 'checks_requested')
    return { ignored: `a merge group that was ${action} builds nothing` }
  const number = queuedPullNumber(ref)
  if (number === null) return { ignored: `${ref} names no pull request of a merge queue` }

  const branch = readRef(base.ref).name
  const pull = await ensurePullRequest(tx.db, {
    repository_id: repository.id,
    number,
    title: `Pull request ${number}`,
    state: 'open',
    head_ref: readRef(ref).name,
    head_sha: head_commit.sha,
    base_ref: branch,
    head_repository_codehost_id: repository.codehost_id,
    changed_at: null,
  })
  const at = { pull_request_id: pull.id, ref }
  const earlier = await newestRequestOfPull(tx.db, at, duplicateSeconds)
  // One that has left the queue, and comes back, is built again.
  const isWaitedFor = earlier?.reason === null && earlier.state !== 'canceled'
  if (isWaitedFor && earlier.head_commit === head_commit.sha) {
    return { ignored: `request ${earlier.id} is about the same commit` }
  }

  const commit = await insertCommit(tx.db, {
    ...head_commit,
    repository_id: repository.id,
    ref,
    branch,
    tag_name: null,
    compare_url: pull.html_url,
  })
  const request = await insertRequest(tx.db, {
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
  return { request }
}
