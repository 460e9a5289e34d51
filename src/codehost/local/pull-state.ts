import { mergeRef } from '../../domain/commit/commit.ts'
import type { PullState } from '../codehost.ts'
import { readCommitAt } from './commits.ts'
import type { Local } from './local.ts'
import { mergeCommit } from './merge.ts'
import { noSha } from './names.ts'
import { findPull, type LocalPull } from './pulls.ts'
import { refsBelow, tipsOf } from './refs/refs.ts'
import type { LocalRepository } from './repositories.ts'

/** The state of a pull request from its branches. If it is open, its merge commit is created first. */
export async function readPullState(
  local: Local,
  repository: LocalRepository,
  number: number,
): Promise<PullState | undefined> {
  const pull = await findPull(local, repository, number)
  if (!pull) return undefined
  const branches = [pull.base_ref, pull.head_ref]
  const [base, head] = await tipsOf(local.git, repository.path, branches)
  return pull.state === 'closed' || base === undefined || head === undefined
    ? closed(local, repository, pull, base)
    : open(local, repository, pull, base, head)
}

async function open(
  { git }: Local,
  repository: LocalRepository,
  pull: LocalPull,
  baseSha: string,
  headSha: string,
): Promise<PullState> {
  const { path } = repository
  const [base, head] = await Promise.all([
    readCommitAt(git, path, baseSha),
    readCommitAt(git, path, headSha),
  ])
  const merge = base && head ? await mergeCommit(git, path, pull.number, base, head) : undefined
  return {
    ...common(repository, pull, baseSha, headSha),
    state: 'open',
    mergeable: merge !== undefined,
    mergeable_state: merge === undefined ? 'dirty' : 'clean',
    merge_commit_sha: merge ?? null,
  }
}

async function closed(
  { git }: Local,
  repository: LocalRepository,
  pull: LocalPull,
  base: string | undefined,
): Promise<PullState> {
  const ref = mergeRef(pull.number)
  const merge = (await refsBelow(git, repository.path, [ref])).get(ref)
  return {
    ...common(repository, pull, base ?? noSha(pull.head_sha), pull.head_sha),
    state: 'closed',
    mergeable: null,
    mergeable_state: 'unknown',
    merge_commit_sha: merge ?? null,
  }
}

function common(
  { codehost_id, owner, name }: LocalRepository,
  { title, base_ref, head_ref }: LocalPull,
  base: string,
  head: string,
) {
  return {
    title,
    draft: false,
    html_url: null,
    changed_at: null,
    head: {
      sha: head,
      ref: head_ref,
      repository_codehost_id: codehost_id,
      slug: `${owner}/${name}`,
    },
    base: { sha: base, ref: base_ref },
  }
}
