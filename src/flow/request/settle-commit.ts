import type { PullState } from '../../codehost/codehost.ts'
import type { PullRequest } from '../../domain/commit.ts'
import type { CommitFacts } from '../../domain/event.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import { findCommit } from '../../store/commits.ts'
import { findPullRequest } from '../../store/pull-requests.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'

/** The commit to build, with the columns of its row. */
export interface SettledCommit {
  /** Id of the existing row; null when it is still to be created. */
  id: number | null
  facts: CommitFacts
  ref: string
  /** For a pull request the base branch (WH-30), for a tag the tag's name (WH-23). */
  branch: string
  tag_name: string | null
  compare_url: string | null
}

/** The result of looking up the commit to build. */
export type CommitLookup =
  | { kind: 'settled'; commit: SettledCommit; mergeable_state: string | null }
  /** The code host has not created the merge commit yet: retry later (WH-33). */
  | { kind: 'wait' }
  /** There is no commit to build; the message of the head commit may be known. */
  | { kind: 'none'; mergeable_state: string | null; message: string }

/** Finds the commit to build: the pushed one, or the merge commit of a pull request. */
export async function settleCommit(
  ctx: Context,
  repository: Repository,
  request: Request,
): Promise<CommitLookup> {
  const pull =
    request.pull_request_id === null
      ? undefined
      : await findPullRequest(ctx.db, request.pull_request_id)
  return pull ? settlePull(ctx, repository, request, pull) : settlePush(ctx, request)
}

async function settlePush(ctx: Context, request: Request): Promise<CommitLookup> {
  const commit =
    request.commit_id === null ? undefined : await findCommit(ctx.db, request.commit_id)
  if (!commit) return { kind: 'none', mergeable_state: null, message: '' }
  const { id, ref, branch, tag_name, compare_url } = commit
  return {
    kind: 'settled',
    mergeable_state: null,
    commit: { id, ref, branch, tag_name, compare_url, facts: commit },
  }
}

async function settlePull(
  ctx: Context,
  repository: Repository,
  request: Request,
  pull: PullRequest,
): Promise<CommitLookup> {
  const { codehost, ref } = await atCodehost(ctx, repository)
  const [state, head] = await Promise.all([
    codehost.pull(ref, pull.number),
    codehost.commit(ref, request.head_commit ?? pull.head_sha),
  ])
  if (!state || !head) return { kind: 'none', mergeable_state: null, message: head?.message ?? '' }
  if (isUnsettled(state)) return { kind: 'wait' }

  const { mergeable_state } = state
  if (state.state === 'closed' || state.merge_commit_sha === null || mergeable_state === 'dirty') {
    return { kind: 'none', mergeable_state, message: head.message }
  }
  return {
    kind: 'settled',
    mergeable_state: state.draft ? 'draft' : mergeable_state,
    commit: {
      id: null,
      // WH-31: sha and ref of the merge commit, message and authors of the head commit.
      facts: { ...head, sha: state.merge_commit_sha },
      ref: `refs/pull/${pull.number}/merge`,
      branch: state.base.ref,
      tag_name: null,
      compare_url: pull.html_url,
    },
  }
}

/** Unknown states of the code host count as settled. */
function isUnsettled({ mergeable_state, state }: PullState): boolean {
  return state === 'open' && (mergeable_state === 'checking' || mergeable_state === 'unknown')
}
