import { type Merge, mergeText, type MovedHead } from '../commit/merge.ts'
import { readRef } from '../event.ts'
import type { Settings } from '../settings.ts'
import { visible } from '../text/escape-control-characters.ts'
import { check } from './check.ts'
import type { Rule } from './decision.ts'
import type { EventType } from './request.ts'
import { skipCommand, skipLine } from './skip.ts'

export interface EarlyFacts {
  event_type: EventType
  /** `archived`: why an archived repository is not built; null for any other. */
  repository: { slug: string; active: boolean; archived: string | null }
  /** `built`: whether the operator lets this owner's repositories be built; null if every owner's are. */
  owner: { login: string; built: boolean | null }
  settings: Pick<Settings, 'build_pushes' | 'build_pull_requests'>
  sender: { login: string | null; blocked: boolean }
  /** The commit to build: for a pull request the merge commit. Null when there is none. */
  sha: string | null
  /** The target of a push, or of a request by API or cron: the tip of a ref, or a commit on it. */
  wanted: { ref: string; sha: string | null } | null
  /** The commit that a request names by its id. */
  named: { sha: string; ref: string; on_ref: boolean } | null
  /** Null if the request is about no pull request. */
  pull: {
    head: string
    moved: MovedHead | null
    merge: Merge
    mergeable_state: string | null
    /** The branch that it is to be merged into; null if the pull request is gone. */
    base: string | null
  } | null
  /** Message of the pushed commit, or of the pull request's head (WH-52). */
  message: string
}

/** Rules that do not need the build file; the first rule that fails decides. */
export const earlyRules: readonly Rule<EarlyFacts>[] = [
  {
    reason: 'repository_archived',
    evaluate: ({ repository: { slug, archived } }) =>
      archived === null ? null : check('repository_archived', false, { slug }),
    message: ({ repository }) => repository.archived ?? '',
  },
  {
    reason: 'repository_inactive',
    evaluate: ({ repository }) =>
      check('repository_active', repository.active, { slug: repository.slug }),
    message: ({ repository }) =>
      `repository is not enabled: activate ${repository.slug} to build it`,
  },
  {
    reason: 'head_moved',
    evaluate({ pull }) {
      if (pull === null) return null
      const { head, moved } = pull
      return check('head', moved === null, { head, at_codehost: moved?.to ?? head })
    },
    message: ({ pull }) => (pull?.moved ? movedText(pull.head, pull.moved) : ''),
  },
  {
    reason: 'commit_not_on_ref',
    evaluate({ named }) {
      if (named === null) return null
      const { sha, ref, on_ref } = named
      return check('commit_on_ref', on_ref, { sha, ref })
    },
    message: ({ named }) =>
      `commit ${named?.sha} is not on ${named?.ref}: name a branch or tag of this repository that ` +
      'contains it; for commits of a fork, open a pull request',
  },
  {
    reason: 'no_commit',
    evaluate({ pull, sha, wanted }) {
      if (pull) return null
      return check('commit', sha !== null, sha === null && wanted ? wanted : { sha })
    },
    message: (facts) => `no commit found${missingText(facts)}`,
  },
  {
    reason: 'no_merge_commit',
    evaluate({ pull, sha }) {
      // An awaited merge commit decides nothing; the rules below can decide meanwhile.
      if (pull === null || pull.merge === 'awaited') return null
      const { merge, mergeable_state } = pull
      return check('merge_commit', merge === 'made', { sha, merge, mergeable_state })
    },
    message: ({ pull }) => mergeText(pull?.merge ?? 'missing', pull?.base ?? null),
  },
  {
    reason: 'owner_excluded',
    evaluate: ({ owner: { login, built } }) =>
      built === null ? null : check('owner', built, { login }),
    message: ({ owner: { login } }) =>
      `repository excluded on this installation: its operator does not list ${login} in OWNERS`,
  },
  {
    // Before the skip command of the sender's own commit: a maintainer could not approve a blocked
    // sender's skipped commit.
    reason: 'sender_blocked',
    evaluate: ({ sender }) => check('sender', !sender.blocked, { login: sender.login }),
    message: ({ sender }) => blockedText(sender.login),
  },
  {
    reason: 'skip_command',
    evaluate({ event_type, message }) {
      // Requests by API or cron are explicit.
      if (event_type !== 'push' && event_type !== 'pull_request') return null
      const command = skipCommand(message) ?? null
      const line = skipLine(message)
      return check('skip_command', command === null, { command, ...(line && { line }) })
    },
    message({ message }) {
      const line = skipLine(message)
      const where = line === undefined ? 'it' : `line ${line} of the commit message`
      return `skipped by commit message: ${where} contains ${skipCommand(message)}`
    },
  },
  {
    reason: 'pushes_disabled',
    evaluate: ({ event_type, settings: { build_pushes } }) =>
      event_type === 'push' ? check('build_pushes', build_pushes, { build_pushes }) : null,
    message: () => 'pushes are disabled in the settings of the repository (build_pushes)',
  },
  {
    reason: 'pull_requests_disabled',
    evaluate: ({ event_type, settings: { build_pull_requests } }) =>
      event_type === 'pull_request'
        ? check('build_pull_requests', build_pull_requests, { build_pull_requests })
        : null,
    message: () =>
      'pull requests are disabled in the settings of the repository (build_pull_requests)',
  },
]

function blockedText(login: string | null): string {
  if (login !== '') return `not authorized: ${login ?? 'the sender'} is blocked here`
  return 'not authorized: the pusher is unknown, and at least one user with push access is blocked: request a build of the branch or tag, or push to it again'
}

function movedText(head: string, { to, request_id }: MovedHead): string {
  const next =
    request_id === null
      ? 'the newer commit will be built when its event arrives'
      : `request ${request_id} is about the newer commit`
  return `superseded: this request is about head ${head}, but the pull request is at ${to}; ${next}`
}

/** The target that the code host does not have, and what to do. */
function missingText({ event_type, repository: { slug }, wanted }: EarlyFacts): string {
  if (wanted === null) return ''
  const { ref, sha } = wanted
  if (event_type === 'push') return `: ${slug} does not show commit ${sha}, so push it again`
  if (sha !== null) return `: ${slug} has no commit ${sha}, so push it first`
  const { kind, name } = readRef(ref)
  return `: ${slug} has no ${kind} "${visible(name)}", so name one that it has`
}
