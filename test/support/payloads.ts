import type {
  CheckActionEvent,
  CommitFacts,
  MergeGroupEvent,
  PullRequestEvent,
  PushEvent,
  RefEvent,
  RerequestEvent,
} from '../../src/domain/event.ts'

export type DescribedEvent =
  | PushEvent
  | PullRequestEvent
  | MergeGroupEvent
  | RefEvent
  | RerequestEvent
  | CheckActionEvent

let described = 0

/** The webhook from which an event is read: its name and its payload, which no other has. */
export function webhookOf(event: DescribedEvent): readonly [string, object] {
  if (event.type === 'push') return ['push', pushPayload(event)]
  if (event.type === 'pull_request') return ['pull_request', pullPayload(event)]
  if (event.type === 'merge_group') return ['merge_group', groupPayload(event)]
  if (event.type === 'rerequest' || event.type === 'check_action') return checkWebhook(event)
  const { ref_type, name: ref } = event
  return [event.exists ? 'create' : 'delete', { ...factsOf(event), ref_type, ref }]
}

function pushPayload(event: PushEvent) {
  const { ref, before, after, deleted, forced, compare_url: compare, head_commit } = event
  return {
    ...{ ...factsOf(event), ref, before, after, deleted, forced, compare },
    head_commit: head_commit && commitOf(head_commit),
  }
}

function pullPayload(event: PullRequestEvent) {
  const { action, number, title, state, draft, html_url, changed_at, head, base } = event
  const facts = factsOf(event)
  const { repository_codehost_id, slug } = head
  const repo =
    repository_codehost_id === null ? null : { id: repository_codehost_id, full_name: slug }
  const { author_login: login, author_codehost_id: author } = event
  return {
    ...{ ...facts, action, number },
    ...(action === 'edited'
      ? { changes: event.retargeted ? { base: { ref: { from: 'main' } } } : {} }
      : {}),
    pull_request: {
      ...{ number, title, state, draft, html_url, merged: false },
      user: login === null ? null : { id: author ?? 1, login, type: 'User' },
      ...(changed_at ? { updated_at: changed_at.toISOString() } : {}),
      mergeable_state: event.mergeable_state,
      head: { sha: head.sha, ref: head.ref, repo },
      base: { ...base, repo: facts.repository },
    },
  }
}

function groupPayload(event: MergeGroupEvent) {
  const { action, ref: head_ref, base, reason, head_commit } = event
  const merge_group = {
    ...{ head_ref, head_sha: head_commit.sha, base_ref: base.ref, base_sha: base.sha },
    head_commit: commitOf(head_commit),
  }
  return { ...factsOf(event), action, merge_group, ...(reason === null ? {} : { reason }) }
}

function checkWebhook(event: RerequestEvent | CheckActionEvent) {
  const { head_sha, check } = event
  const facts = factsOf(event)
  if (event.type === 'check_action') {
    const requested_action = { identifier: event.identifier }
    const action = 'requested_action'
    return [
      'check_run',
      { ...facts, action, requested_action, check_run: { head_sha, ...check } },
    ] as const
  }
  const action = 'rerequested'
  if (check) return ['check_run', { ...facts, action, check_run: { head_sha, ...check } }] as const
  const check_suite = { head_sha, head_branch: event.ref_name }
  return ['check_suite', { ...facts, action, check_suite }] as const
}

/** Repository, sender and installation. */
function factsOf({ repository, sender, installation_codehost_id: id }: DescribedEvent) {
  const { codehost_id, provider: _provider, owner, ...facts } = repository
  const { codehost_id: senderId, login } = sender
  return {
    repository: {
      ...{ ...facts, id: codehost_id, full_name: `${owner?.login}/${facts.name}` },
      pushed_at: (described += 1),
      owner: owner && { id: owner.codehost_id, login: owner.login, type: owner.type },
    },
    sender: { id: senderId ?? 1, login, type: senderId === null ? 'Bot' : 'User' },
    ...(id === null ? {} : { installation: { id } }),
  }
}

function commitOf({ sha, message, committed_at, ...people }: CommitFacts) {
  return {
    ...{ id: sha, message, timestamp: committed_at?.toISOString() ?? null },
    author: { name: people.author_name, email: people.author_email },
    committer: { name: people.committer_name, email: people.committer_email },
  }
}
