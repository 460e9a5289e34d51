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

/** Rules that do not need the build file; the first rule that fails decides. */
export const earlyRules: readonly Rule<EarlyFacts>[] = [
  {
    reason: 'repository_inactive',
    evaluate: ({ repository }) =>
      check('repository_active', repository.active, { slug: repository.slug }),
    message: ({ repository }) =>
      `repository is not enabled: activate ${repository.slug} to have it built`,
  },
  {
    reason: 'no_commit',
    evaluate: ({ event_type, sha }) =>
      event_type === 'pull_request' ? null : check('commit', sha !== null, { sha }),
    message: () => 'no commit found',
  },
  {
    reason: 'no_merge_commit',
    evaluate: ({ event_type, sha, mergeable_state }) =>
      event_type === 'pull_request'
        ? check('merge_commit', sha !== null, { sha, mergeable_state })
        : null,
    message: () => 'no merge commit: the pull request may have conflicts or be closed',
  },
  {
    reason: 'skip_command',
    evaluate({ event_type, message }) {
      // Requests by API or cron are explicit.
      if (event_type !== 'push' && event_type !== 'pull_request') return null
      const command = skipCommand(message) ?? null
      return check('skip_command', command === null, { command })
    },
    message: ({ message }) => `skipped by commit message: it contains ${skipCommand(message)}`,
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
  {
    reason: 'sender_blocked',
    evaluate: ({ sender }) => check('sender', !sender.blocked, { login: sender.login }),
    message: ({ sender }) => `not authorized: ${sender.login ?? 'the sender'} is blocked here`,
  },
]
