import { type ConditionData, effortOfBuild } from '../../buildfile/conditions/data.ts'
import type { PullRequest } from '../../domain/commit.ts'
import { type Repository, slugOf } from '../../domain/repository.ts'
import type { Request } from '../../domain/request/request.ts'
import type { SettledCommit } from '../request/commit-lookup.ts'

/** The data that the conditions of a build file are evaluated with. */
export function conditionData(
  repository: Repository,
  request: Request,
  commit: SettledCommit,
  pull: PullRequest | undefined,
  env: NonNullable<ConditionData['env']>,
): ConditionData {
  const slug = slugOf(repository)
  return {
    type: request.event_type,
    repo: slug,
    branch: commit.branch,
    tag: commit.tag_name,
    commit_message: commit.facts.message,
    sender: request.sender_login,
    // Whether the repository being built is a fork, not whether the pull request comes from one.
    fork: repository.fork,
    draft: pull?.draft ?? false,
    head_repo: pull ? pull.head_slug : slug,
    head_branch: pull ? pull.head_ref : commit.branch,
    env,
    effort: effortOfBuild(),
  }
}
