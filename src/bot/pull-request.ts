import type { PullRequestEvent } from '../domain/event.ts'
import { factsOf, type Origin, type PullRequestPayload } from './payload.ts'

export function pullRequestEvent(payload: PullRequestPayload, origin: Origin): PullRequestEvent {
  const { action, pull_request: pull } = payload
  return {
    ...factsOf(payload, origin),
    type: 'pull_request',
    action,
    number: pull.number,
    title: pull.title,
    state: pull.state,
    draft: pull.draft ?? false,
    html_url: pull.html_url,
    author_login: pull.user?.login ?? null,
    author_codehost_id: pull.user?.id ?? null,
    retargeted: action === 'edited' && payload.changes.base !== undefined,
    mergeable_state: 'mergeable_state' in pull ? pull.mergeable_state : null,
    // The local code host reports changes in order, without times.
    changed_at: 'updated_at' in pull ? new Date(pull.updated_at) : null,
    head: {
      sha: pull.head.sha,
      ref: pull.head.ref,
      // Null if the fork has been deleted.
      repository_codehost_id: pull.head.repo?.id ?? null,
      slug: pull.head.repo?.full_name ?? null,
    },
    base: { sha: pull.base.sha, ref: pull.base.ref },
  }
}
