import type { PullRequestEvent } from '../../src/domain/event.ts'

/** The webhook from which an event about a pull request is read. */
export function pullPayload(event: PullRequestEvent) {
  const { action, number, title, state, draft, html_url, changed_at, head, base } = event
  const { codehost_id: id, name, owner, ...facts } = event.repository
  const {
    codehost_id: ownerId,
    login,
    type,
  } = owner ?? { codehost_id: 1, login: 'o', type: 'User' }
  const repository = {
    ...{ id, name, full_name: `${login}/${name}`, private: facts.private, fork: facts.fork },
    ...{ default_branch: facts.default_branch, archived: facts.archived },
    owner: { id: ownerId, login, type },
  }
  const user = { id: 1, login: event.author_login ?? login, type: 'User' }
  const sender = { ...user, login: event.sender?.login ?? login }
  const { repository_codehost_id, slug } = head
  const repo =
    repository_codehost_id === null ? null : { id: repository_codehost_id, full_name: slug }
  return {
    ...{ action, number, repository, sender },
    ...(event.retargeted ? { changes: { base: { ref: { from: 'main' } } } } : {}),
    pull_request: {
      ...{ number, title, state, draft, html_url, user, merged: false },
      ...(changed_at ? { updated_at: changed_at.toISOString() } : {}),
      mergeable_state: event.mergeable_state,
      head: { sha: head.sha, ref: head.ref, repo },
      base: { ...base, repo: repository },
    },
  }
}
