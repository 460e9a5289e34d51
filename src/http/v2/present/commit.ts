import { type Commit, pullRequestNumber } from '../../../domain/commit/commit.ts'
import type { Repository } from '../../../domain/repository.ts'
import { time } from '../../../domain/time/api-time.ts'
import type { ShownCommit } from '../../../store/commits/commits.ts'

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

/** The commits of a list, one for each item that has one, in their order (D57). */
export function presentCommitsOf(listed: readonly { commit: ShownCommit | null }[]) {
  return listed.flatMap(({ commit }) => (commit ? [presentCommit(commit)] : []))
}

/** The commit of a single build or job, which also shows whether its branch is the default branch. */
export function presentSingleCommit(
  commit: Commit | null,
  { default_branch_name }: Pick<Repository, 'default_branch_name'>,
) {
  if (!commit) return null
  return { ...presentCommit(commit), branch_is_default: commit.branch === default_branch_name }
}
