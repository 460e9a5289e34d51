import type { Git } from '../git.ts'
import { noSha } from '../names.ts'
import type { LocalPull } from '../pulls.ts'
import { contains, tipsOf } from '../refs/refs.ts'
import type { RefChange } from '../refs/reported-refs.ts'
import type { AccountPayload, EventPayload, RepositoryPayload } from './payload.ts'

interface SidePayload {
  label: string
  ref: string
  sha: string
  user: AccountPayload
  repo: RepositoryPayload
}

interface PullRequest extends EventPayload {
  number: number
  pull_request: {
    number: number
    state: 'open' | 'closed'
    title: string
    draft: boolean
    html_url: null
    user: AccountPayload
    merged: boolean
    mergeable: null
    mergeable_state: string
    merge_commit_sha: null
    head: SidePayload
    base: SidePayload
  }
}

export type PullRequestPayload = PullRequest &
  ({ action: 'opened' | 'closed' } | { action: 'synchronize'; before: string; after: string })

/** The event for a pull request, derived from a change of the ref that represents its head. */
export async function pullRequestPayload(
  git: Git,
  path: string,
  event: EventPayload,
  { before, after }: RefChange,
  pull: LocalPull,
): Promise<PullRequestPayload> {
  const [base] = await tipsOf(git, path, [pull.base_ref])
  // For an opened or closed pull request, the head is its last head; else the reported head.
  const head = after ?? pull.head_sha
  const merged = after === null && base !== undefined && (await contains(git, path, base, head))
  const payload = {
    number: pull.number,
    pull_request: {
      number: pull.number,
      state: after === null ? ('closed' as const) : ('open' as const),
      title: pull.title,
      draft: false,
      html_url: null,
      user: event.sender,
      merged,
      mergeable: null,
      // The merge commit is created on request, as on other code hosts (WH-33).
      mergeable_state: 'unknown',
      merge_commit_sha: null,
      head: side(event, pull.head_ref, head),
      base: side(event, pull.base_ref, base ?? noSha(head)),
    },
    ...event,
  }
  if (before !== null && after !== null) return { action: 'synchronize', before, after, ...payload }
  return { action: after === null ? 'closed' : 'opened', ...payload }
}

function side({ repository: repo }: EventPayload, ref: string, sha: string): SidePayload {
  const { id, login, type } = repo.owner
  return { label: `${login}:${ref}`, ref, sha, user: { id, login, type }, repo }
}
