import type { Codehost, FoundCommit, PullState, RepositoryRef } from '../../codehost/codehost.ts'
import { branchRef, mergeRef, type PullRequest } from '../../domain/commit/commit.ts'
import { awaitsHead, awaitsMerge, type Merge, type MovedHead } from '../../domain/commit/merge.ts'
import type { FoundRepository } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import {
  hadAnotherBase,
  isMergeIntoAnother,
  namedBase,
  type NamedMerge,
} from '../../store/commits/commits.ts'
import { findRequestOfHead } from '../../store/requests/requests.ts'
import type { Context } from '../context.ts'
import { atCodehost } from '../repositories/at-codehost.ts'
import { isYounger, longestLag } from './age.ts'
import type { PullLookup } from './commit-lookup.ts'

interface AtCodehost {
  codehost: Codehost
  ref: RepositoryRef
}

/** Finds the merge commit of a pull request, only for the head that the request names. */
export async function settlePull(
  ctx: Context,
  repository: FoundRepository,
  request: Request,
  pull: PullRequest,
): Promise<PullLookup> {
  const at = atCodehost(ctx, repository)
  const named = request.head_commit ?? pull.head_sha
  const awaitsMore = () => isYounger(ctx, request, longestLag)
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
      base: state?.base.ref ?? null,
      base_commit: state?.base.sha ?? null,
      into: null,
      waiting: awaitsMerge,
      changed_at: state?.changed_at ?? null,
    },
  }
  const behind = { merge: 'awaited', waiting: awaitsHead } as const
  if (state && isBehind(state, pull)) return as(looked, behind)
  if (state && state.head.sha !== named) {
    // If times do not decide, the newest event is believed for a while.
    const isNewest = named === pull.head_sha && !isAhead(state, pull)
    if (isNewest && (await awaitsMore())) return as(looked, behind)
    const moved = await movedTo(ctx, pull, state.head.sha)
    return as(looked, { moved })
  }
  if (!state || !head) return (await awaitsMore()) ? as(looked, behind) : looked
  const merge = await mergeOf(at, state, head)
  if (typeof merge === 'string') return as(looked, { merge })
  const ref = mergeRef(pull.number)
  const branch = state.base.ref
  // Until the new merge is made, the code host names the merge into the former base branch.
  const sides = { pull_request_id: pull.id, into: merge.parents[0], tip: state.base.sha }
  const merged = { repository_id: repository.id, ref, sha: merge.sha, branch, ...sides }
  const mayBeOld = (await isMergeIntoAnother(ctx.db, merged)) && (await awaitsMore())
  if (mayBeOld || (await isOutsideBase(ctx, at, merged))) return as(looked, { merge: 'awaited' })
  const commit = {
    row: null,
    // WH-31: sha and ref of the merge commit, message and authors of the head commit.
    facts: { ...head, sha: merge.sha },
    ref,
    branch,
    tag_name: null,
    compare_url: pull.html_url,
  }
  return { ...as(looked, { merge: 'made', into: merge.parents[0] ?? null }), commit }
}

function as(looked: PullLookup, changes: Partial<PullLookup['pull']>): PullLookup {
  return { ...looked, pull: { ...looked.pull, ...changes } }
}

/**
 * For a pull request that had another base: whether it was merged with a commit of the former base.
 * That is so if the current base does not contain the commit, or if it is an ancestor of the commit
 * that the current base was at: then both bases contain it, but it was the tip of the former one.
 */
async function isOutsideBase(
  { db }: Context,
  { codehost, ref }: AtCodehost,
  merged: NamedMerge,
): Promise<boolean> {
  const { into, tip, branch } = merged
  if (into === undefined || into === tip || !(await hadAnotherBase(db, merged))) return false
  // The code host may show the pull request with the base as it was when the head was pushed.
  const now = await codehost.tip(ref, branchRef(branch))
  if (now === undefined || into === now) return false
  if (!(await codehost.isBehind(ref, into, now))) return true
  const from = await namedBase(db, merged)
  return from !== null && from !== into && codehost.isBehind(ref, into, from)
}

function stateText(state: PullState | undefined): string | null {
  return state?.draft ? 'draft' : (state?.mergeable_state ?? null)
}

/** Whether the code host shows a state from before the newest event. */
function isBehind({ changed_at }: PullState, { changed_at: known }: PullRequest): boolean {
  return changed_at !== null && known !== null && changed_at < known
}

/** Whether the code host shows a change whose event has not arrived yet. */
function isAhead({ changed_at }: PullState, { changed_at: known }: PullRequest): boolean {
  return changed_at !== null && known !== null && changed_at > known
}

async function movedTo({ db }: Context, { id }: PullRequest, head: string): Promise<MovedHead> {
  const newer = await findRequestOfHead(db, { pull_request_id: id, head_commit: head })
  return { to: head, request_id: newer?.id ?? null }
}

/** The merge commit of this head, or the reason for its absence. */
async function mergeOf(
  { codehost, ref }: AtCodehost,
  { state, mergeable, merge_commit_sha }: PullState,
  head: FoundCommit,
): Promise<FoundCommit | Exclude<Merge, 'made'>> {
  if (state === 'closed') return 'closed'
  if (mergeable === false) return 'conflict'
  if (mergeable === null || merge_commit_sha === null) return 'awaited'
  const merge = await codehost.commit(ref, merge_commit_sha)
  // Until the new merge is made, the code host names the merge of an earlier head.
  return merge?.parents.includes(head.sha) ? merge : 'awaited'
}
