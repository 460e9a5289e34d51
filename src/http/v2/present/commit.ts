import { type Commit, pullRequestNumber } from '../../../domain/commit.ts'
import type { Repository } from '../../../domain/repository.ts'
import type { ShownCommit } from '../../../store/commits.ts'
import { time } from '../../time.ts'

export function presentCommit(commit: ShownCommit) {
  return {
    id: commit.id,
    sha: commit.sha,
    branch: commit.branch,
    tag: commit.tag_name,
    message: commit.message,
    committed_at: time(commit.committed_at),
    author_name: commit.author_name,
    author_email: commit.author_email,
    committer_name: commit.committer_name,
    committer_email: commit.committer_email,
    compare_url: commit.compare_url,
    pull_request_number: pullRequestNumber(commit),
  }
}

/** The commits of a list, each once, by their ids. */
export function presentCommitsOf(listed: readonly { commit: ShownCommit | null }[]) {
  const commits = new Map(listed.flatMap(({ commit }) => (commit ? [[commit.id, commit]] : [])))
  return [...commits.values()].toSorted((a, b) => a.id - b.id).map(presentCommit)
}

/** The commit of a single build or job, which also says whether its branch is the default one. */
export function presentSingleCommit(
  commit: Commit | null,
  { default_branch_name }: Pick<Repository, 'default_branch_name'>,
) {
  if (!commit) return null
  return { ...presentCommit(commit), branch_is_default: commit.branch === default_branch_name }
}
