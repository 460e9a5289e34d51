import type { Commit, PullRequest } from '../../domain/commit.ts'
import { queuedPullNumber } from '../../domain/request/merge-queue.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import { findPullRequest } from '../../store/pull-requests.ts'
import type { Context } from '../context.ts'
import type { CommitLookup } from './commit-lookup.ts'
import { settleNamed } from './settle-named.ts'
import { settlePull } from './settle-pull.ts'
import { settlePushed } from './settle-pushed.ts'

/**
 * Finds the commit to build: the pushed or requested one, or the merge commit of a pull request. `named` is the one that
 * the request names from its start.
 */
export async function settleCommit(
  ctx: Context,
  repository: FoundRepository,
  request: Request,
  named: Commit | undefined,
): Promise<CommitLookup> {
  // WH-52: what a merge commit says skips nothing.
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
