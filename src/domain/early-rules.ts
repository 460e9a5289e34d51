import { check } from './check.ts'
import type { Rule } from './decision.ts'
import type { EventType } from './request.ts'
import type { Settings } from './settings.ts'
import { skipCommand } from './skip.ts'

export interface EarlyFacts {
  event_type: EventType
  repository: { slug: string; active: boolean }
  settings: Pick<Settings, 'build_pushes' | 'build_pull_requests'>
  sender: { login: string | null; blocked: boolean }
  /** The commit to build: for a pull request the merge commit. Null when there is none. */
  sha: string | null
  mergeable_state: string | null
  /** Of the pushed commit, or of the pull request's head (WH-52). */
  message: string
}

/** What can be said before the build file is read; the first rule that fails decides. */
export const earlyRules: readonly Rule<EarlyFacts>[] = [
  {
    reason: 'repository_inactive',
    look: ({ repository }) =>
      check('repository_active', repository.active, { slug: repository.slug }),
    says: ({ repository }) =>
      `repository is not enabled: activate ${repository.slug} to have it built`,
  },
  {
    reason: 'no_commit',
    look: ({ event_type, sha }) =>
      event_type === 'pull_request' ? null : check('commit', sha !== null, { sha }),
    says: () => 'no commit found',
  },
  {
    reason: 'no_merge_commit',
    look: ({ event_type, sha, mergeable_state }) =>
      event_type === 'pull_request'
        ? check('merge_commit', sha !== null, { sha, mergeable_state })
        : null,
    says: () => 'no merge commit: the pull request may have conflicts or be closed',
  },
  {
    reason: 'skip_command',
    look({ event_type, message }) {
      // Whoever asks by API or cron asks explicitly.
      if (event_type !== 'push' && event_type !== 'pull_request') return null
      const command = skipCommand(message) ?? null
      return check('skip_command', command === null, { command })
    },
    says: ({ message }) => `skipped by commit message: it contains ${skipCommand(message)}`,
  },
  {
    reason: 'pushes_disabled',
    look: ({ event_type, settings: { build_pushes } }) =>
      event_type === 'push' ? check('build_pushes', build_pushes, { build_pushes }) : null,
    says: () => 'pushes are disabled in the settings of the repository (build_pushes)',
  },
  {
    reason: 'pull_requests_disabled',
    look: ({ event_type, settings: { build_pull_requests } }) =>
      event_type === 'pull_request'
        ? check('build_pull_requests', build_pull_requests, { build_pull_requests })
        : null,
    says: () =>
      'pull requests are disabled in the settings of the repository (build_pull_requests)',
  },
  {
    reason: 'sender_blocked',
    look: ({ sender }) => check('sender', !sender.blocked, { login: sender.login }),
    says: ({ sender }) => `not authorized: ${sender.login ?? 'the sender'} is blocked here`,
  },
]
