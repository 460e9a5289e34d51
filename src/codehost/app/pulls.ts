import { mergeRef } from '../../domain/commit/commit.ts'
import type { PullState, RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import { findCommit } from './commits.ts'
import type { ResponseData } from './octokit.ts'

type Pull = ResponseData<'pulls', 'get'>

export async function findPull(
  app: App,
  repository: RepositoryRef,
  number: number,
): Promise<PullState | undefined> {
  const parameters = { id: repository.codehost_id, number }
  const pull = await app.find<Pull>(
    scopeOf(repository),
    'GET /repositories/{id}/pulls/{number}',
    parameters,
  )
  return pull && pullState(pull, await mergeCommitOf(app, repository, pull))
}

/**
 * Null unless mergeable: a pull request with conflicts still has the merge commit of an earlier head. If
 * a version of the API leaves the field out, the ref is queried.
 */
async function mergeCommitOf(
  app: App,
  repository: RepositoryRef,
  { number, mergeable, merge_commit_sha }: Omit<Pull, 'merge_commit_sha'> & NamedMerge,
): Promise<string | null> {
  if (!mergeable) return null
  if (merge_commit_sha !== undefined) return merge_commit_sha
  return (await findCommit(app, repository, mergeRef(number)))?.sha ?? null
}

interface NamedMerge {
  merge_commit_sha?: string | null
}

function pullState(pull: Pull, merge_commit_sha: string | null): PullState {
  const { head, base } = pull
  // The repository is null when the fork was deleted, contrary to its type.
  const from = head.repo as typeof head.repo | null
  return {
    state: pull.state === 'open' ? 'open' : 'closed',
    title: pull.title,
    draft: pull.draft ?? false,
    html_url: pull.html_url,
    mergeable: pull.mergeable,
    mergeable_state: pull.mergeable_state,
    merge_commit_sha,
    changed_at: new Date(pull.updated_at),
    head: {
      sha: head.sha,
      ref: head.ref,
      repository_codehost_id: from?.id ?? null,
      slug: from?.full_name ?? null,
    },
    base: { sha: base.sha, ref: base.ref },
  }
}
