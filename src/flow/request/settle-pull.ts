import type { Codehost, FoundCommit, PullState, RepositoryRef } from '../../codehost/codehost.ts'
import type { PullRequest } from '../../domain/commit.ts'
import {
  awaitsHead,
  awaitsMerge,
  type Merge,
  mostStaleReads,
  type MovedHead,
} from '../../domain/merge.ts'
import type { Repository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request.ts'
import { findRequestOfHead } from '../../store/requests.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repository/at-codehost.ts'
import type { PullLookup } from './commit-lookup.ts'

interface AtCodehost {
  codehost: Codehost
  ref: RepositoryRef
}

/** Finds the merge commit of a pull request, for the head that the request names and no other. */
export async function settlePull(
  ctx: Context,
  repository: Repository,
  request: Request,
  pull: PullRequest,
): Promise<PullLookup> {
  const at = await atCodehost(ctx, repository)
  const named = request.head_commit ?? pull.head_sha
  const [state, head] = await Promise.all([
    at.codehost.pull(at.ref, pull.number),
    at.codehost.commit(at.ref, named),
  ])
  const looked = {
    commit: null,
    message: head?.message ?? '',
    pull: {
      head: named,
      moved: null,
      merge: 'missing' as Merge,
      mergeable_state: stateText(state),
      waiting: awaitsMerge,
    },
  }
  if (state && state.head.sha !== named) {
    if (mayBeStale(request, pull)) return as(looked, { merge: 'awaited', waiting: awaitsHead })
    const moved = await movedTo(ctx, pull, state.head.sha)
    return as(looked, { moved })
  }
  if (!state || !head) return looked
  const merge = await mergeOf(at, state, head)
  if (typeof merge === 'string') return as(looked, { merge })
  const commit = {
    id: null,
    // WH-31: sha and ref of the merge commit, message and authors of the head commit.
    facts: { ...head, sha: merge.sha },
    ref: `refs/pull/${pull.number}/merge`,
    branch: state.base.ref,
    tag_name: null,
    compare_url: pull.html_url,
  }
  return { ...as(looked, { merge: 'made' }), commit }
}

function as(looked: PullLookup, changes: Partial<PullLookup['pull']>): PullLookup {
  return { ...looked, pull: { ...looked.pull, ...changes } }
}

function stateText(state: PullState | undefined): string | null {
  return state?.draft ? 'draft' : (state?.mergeable_state ?? null)
}

/** Whether no event told of a newer head, so that the code host may only be behind its own events. */
function mayBeStale({ head_commit, waits }: Request, { head_sha }: PullRequest): boolean {
  return head_commit === head_sha && waits < mostStaleReads
}

async function movedTo({ db }: Context, { id }: PullRequest, head: string): Promise<MovedHead> {
  const newer = await findRequestOfHead(db, { pull_request_id: id, head_commit: head })
  return { to: head, request_id: newer?.id ?? null }
}

/** The merge commit of this head, or why there is none. */
async function mergeOf(
  { codehost, ref }: AtCodehost,
  { state, mergeable, merge_commit_sha }: PullState,
  head: FoundCommit,
): Promise<FoundCommit | Exclude<Merge, 'made'>> {
  if (state === 'closed') return 'closed'
  if (mergeable === false) return 'conflict'
  if (mergeable === null || merge_commit_sha === null) return 'awaited'
  const merge = await codehost.commit(ref, merge_commit_sha)
  // Until the new one is made, the code host names that of an earlier head.
  return merge?.parents.includes(head.sha) ? merge : 'awaited'
}
