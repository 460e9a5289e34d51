import type { PullState, RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { ResponseData } from './octokit.ts'

type Pull = ResponseData<'pulls', 'get'>

export async function findPull(
  { find }: App,
  repository: RepositoryRef,
  number: number,
): Promise<PullState | undefined> {
  const parameters = { id: repository.codehost_id, number }
  const pull = await find<Pull>(
    scopeOf(repository),
    'GET /repositories/{id}/pulls/{number}',
    parameters,
  )
  return pull && pullState(pull)
}

function pullState(pull: Pull): PullState {
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
    // A pull request with conflicts still has the merge commit of an earlier head.
    merge_commit_sha: pull.mergeable ? pull.merge_commit_sha : null,
    head: {
      sha: head.sha,
      ref: head.ref,
      repository_codehost_id: from?.id ?? null,
      slug: from?.full_name ?? null,
    },
    base: { sha: base.sha, ref: base.ref },
  }
}
