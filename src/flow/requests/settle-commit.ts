import type { Commit, PullRequest } from '../../domain/commit/commit.ts'
import { readRef } from '../../domain/event.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import { queuedPullNumber } from '../../domain/request/merge-queue.ts'
import type { Request } from '../../domain/request/request.ts'
import { findPullRequest } from '../../store/commits/pull-requests.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import type { CommitLookup } from './commit-lookup.ts'
import { settlePull } from './settle-pull.ts'
import { settlePushed } from './settle-pushed.ts'

/**
 * Finds the commit to build: the pushed or requested commit, or a pull request's merge commit. `named` is the
 * stored commit that the request has named from the start.
 */
export async function settleCommit(
  ctx: Context,
  repository: FoundRepository,
  request: Request,
  named: Commit | undefined,
): Promise<CommitLookup> {
  // WH-52: the message of a merge commit never skips a build.
  if (queuedPullNumber(request.ref) !== null) return { ...settlePush(named), message: '' }
  const pull = await pullOf(ctx, request)
  if (pull) return settlePull(ctx, repository, request, pull)
  if (named || request.event_type === 'pull_request') return settlePush(named)
  const settle = request.event_type === 'push' ? settlePushed : settleNamed
  return settle(ctx, repository, request)
}

async function pullOf(
  { db }: Context,
  { pull_request_id }: Request,
): Promise<PullRequest | undefined> {
  return pull_request_id === null ? undefined : findPullRequest(db, pull_request_id)
}

function settlePush(commit: Commit | undefined): CommitLookup {
  if (!commit) return { commit: null, message: '', pull: null }
  const { ref, branch, tag_name, compare_url } = commit
  const settled = { row: commit, ref, branch, tag_name, compare_url, facts: commit }
  return { commit: settled, message: commit.message, pull: null }
}

/**
 * Finds the commit that an API or cron request names: by its id, else at the tip of its ref (RQ-22). A commit
 * named by id must be on the ref: the code host also finds unapproved commits of forks.
 */
async function settleNamed(
  ctx: Context,
  repository: FoundRepository,
  { ref, after_sha, commit_message }: Request,
): Promise<CommitLookup> {
  const none = { commit: null, message: '', pull: null }
  if (ref === null) return none
  const { codehost, ref: address } = atCodehost(ctx, repository)
  const tip = await codehost.commit(address, ref)
  const found = after_sha === null ? tip : await codehost.commit(address, after_sha)
  if (!found) return none
  const on_ref = tip !== undefined && (await codehost.isBehind(address, found.sha, tip.sha))
  const named = after_sha === null ? {} : { named: { sha: found.sha, ref, on_ref } }
  if (!on_ref) return { ...none, ...named }
  const { parents: _parents, ...facts } = found
  const message = commit_message ?? facts.message
  const { kind, name } = readRef(ref)
  const commit = {
    row: null,
    facts: { ...facts, message },
    ref,
    branch: name,
    tag_name: kind === 'tag' ? name : null,
    compare_url: null,
  }
  return { commit, message, pull: null, ...named }
}
