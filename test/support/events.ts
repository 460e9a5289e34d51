import type {
  MergeGroupEvent,
  PullRequestEvent,
  PushEvent,
  RepositoryFacts,
} from '../../src/domain/event.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { noon } from './context.ts'

function factsOf(repository: Repository): RepositoryFacts {
  const { provider, codehost_id, name, fork, default_branch_name, owner_name } = repository
  return {
    provider,
    codehost_id,
    name,
    fork,
    private: repository.private,
    default_branch: default_branch_name,
    description: null,
    language: null,
    archived: false,
    owner: { codehost_id: 1, login: owner_name, type: 'User' },
  }
}

export const tip = 'c'.repeat(40)

/** A push of one commit to `main`, unless told otherwise. */
export function pushTo(repository: Repository, given: Partial<PushEvent> = {}): PushEvent {
  const after = given.after ?? tip
  return {
    type: 'push',
    delivery_id: null,
    installation_codehost_id: null,
    repository: factsOf(repository),
    sender: { codehost_id: null, login: 'octavia' },
    ref: 'refs/heads/main',
    before: 'b'.repeat(40),
    after,
    deleted: false,
    forced: false,
    compare_url: 'https://codehost.example/o/n/compare/abc...def',
    head_commit: {
      sha: after,
      message: 'Say hello',
      committed_at: noon,
      author_name: 'Octavia',
      author_email: 'octavia@example.org',
      committer_name: 'Octavia',
      committer_email: 'octavia@example.org',
    },
    ...given,
  }
}

/** A pull request of the branch `greet` into `main` of the same repository, just opened. */
export function pullOf(
  repository: Repository,
  given: Partial<PullRequestEvent> = {},
): PullRequestEvent {
  return {
    type: 'pull_request',
    delivery_id: null,
    installation_codehost_id: null,
    repository: factsOf(repository),
    sender: { codehost_id: null, login: 'octavia' },
    action: 'opened',
    number: 7,
    title: 'Greet',
    state: 'open',
    draft: false,
    html_url: 'https://codehost.example/o/n/pull/7',
    author_login: 'octavia',
    author_codehost_id: 5,
    retargeted: false,
    mergeable_state: 'unknown',
    changed_at: null,
    head: {
      sha: 'd'.repeat(40),
      ref: 'greet',
      repository_codehost_id: repository.codehost_id,
      slug: 'octavia/hello',
    },
    base: { sha: 'b'.repeat(40), ref: 'main' },
    ...given,
  }
}

export const queueRef = `refs/heads/gh-readonly-queue/main/pr-7-${'b'.repeat(40)}`

/** The merge queue of `main` wants to have pull request 7 checked. */
export function mergeGroupOf(
  repository: Repository,
  given: Partial<MergeGroupEvent> = {},
): MergeGroupEvent {
  const { head_commit: commit, ...push } = pushTo(repository)
  if (!commit) throw new Error('a push has a commit')
  const { delivery_id, installation_codehost_id, repository: facts, sender } = push
  return {
    type: 'merge_group',
    delivery_id,
    installation_codehost_id,
    repository: facts,
    sender,
    action: 'checks_requested',
    ref: queueRef,
    base: { sha: 'b'.repeat(40), ref: 'refs/heads/main' },
    reason: null,
    head_commit: { ...commit, message: 'Merge pull request #7 from octavia/greet' },
    ...given,
  }
}
