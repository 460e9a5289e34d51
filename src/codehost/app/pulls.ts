import type { PullState, RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import type { Answer } from './octokit.ts'

type Pull = Answer<'pulls', 'get'>

export async function findPull(
  { find }: App,
  repository: RepositoryRef,
  number: number,
): Promise<PullState | undefined> {
  const given = { id: repository.codehost_id, number }
  const pull = await find<Pull>(scopeOf(repository), 'GET /repositories/{id}/pulls/{number}', given)
  return pull && pullState(pull)
}

function pullState(pull: Pull): PullState {
  const { head, base } = pull
  // The repository is null when the fork was deleted, whatever the interface says of it.
  const from = head.repo as typeof head.repo | null
  return {
    state: pull.state === 'open' ? 'open' : 'closed',
    title: pull.title,
    draft: pull.draft ?? false,
    html_url: pull.html_url,
    mergeable_state: pull.mergeable_state,
    // What cannot be merged still names the merge of an earlier head.
    merge_commit_sha: pull.mergeable === false ? null : pull.merge_commit_sha,
    head: {
      sha: head.sha,
      ref: head.ref,
      repository_codehost_id: from?.id ?? null,
      slug: from?.full_name ?? null,
    },
    base: { sha: base.sha, ref: base.ref },
  }
}
