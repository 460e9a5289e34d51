import { type Check, check } from './check.ts'
import type { EventType, RejectionReason } from './request.ts'
import type { Settings } from './settings.ts'
import { skipCommand } from './skip.ts'

export interface Rejection {
  reason: RejectionReason
  /** For people: what happened, and what would make it build. */
  message: string
}

/** Whether a request makes a build, and everything that was looked at to know (D34). */
export interface Decision {
  checks: Check[]
  rejection: Rejection | null
}

interface Rule<Facts> {
  reason: RejectionReason
  /** Null where the rule does not apply. */
  look(facts: Facts): Check | null
  says(facts: Facts): string
}

/** Asks the rules in their order; the first that fails decides, and none is asked after it. */
export function decide<Facts>(rules: readonly Rule<Facts>[], facts: Facts): Decision {
  const checks: Check[] = []
  for (const rule of rules) {
    const looked = rule.look(facts)
    if (looked === null) continue
    checks.push(looked)
    if (!looked.passed) {
      return { checks, rejection: { reason: rule.reason, message: rule.says(facts) } }
    }
  }
  return { checks, rejection: null }
}

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

/** What can be said before the build file is read, in the order of pipeline 2.3. */
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
      // WH-53: whoever asks by API or cron asks explicitly.
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

const pagesBranch = /gh[-_]pages/i

export interface LateFacts {
  /** Name that filters are asked about: for a pull request the base branch (CF-22). */
  branch: string
  only_with_build_file: boolean
  build_file: { path: string; found: boolean }
  /** What `branches` of the build file says of that name. */
  filter: { included: boolean; by: 'only' | 'except' | null; entry?: string; line?: number }
  /** Whether `branches.only` has an entry for pages branches (RQ-10). */
  pages_listed: boolean
  /** The `if` of the root, with what it saw; null where there is none. */
  condition: {
    condition: string
    holds: boolean
    saw: Record<string, unknown>
    error: string | null
    line: number | null
  } | null
  jobs: number
  /** How many jobs were left out, by why. */
  dropped: Record<string, number>
}

/** What the build file decides, once it is read. */
export const lateRules: readonly Rule<LateFacts>[] = [
  {
    reason: 'no_build_file',
    look: ({ build_file, only_with_build_file }) =>
      check('build_file', build_file.found || !only_with_build_file, {
        path: build_file.path,
        found: build_file.found,
        builds_only_with_service_yml: only_with_build_file,
      }),
    says: ({ build_file }) =>
      `no build configuration file: add ${build_file.path}, ` +
      'or turn off builds_only_with_service_yml in the settings of the repository',
  },
  {
    reason: 'pages_branch',
    look: ({ branch, pages_listed }) =>
      pagesBranch.test(branch)
        ? check('pages_branch', pages_listed, { branch, listed_in_only: pages_listed })
        : null,
    says: ({ branch }) =>
      `pages branch is not built by default: list ${branch} in branches.only to build it`,
  },
  {
    reason: 'branch_excluded',
    look: ({ branch, filter, build_file }) =>
      check(
        'branches',
        filter.included,
        { branch, by: filter.by, entry: filter.entry ?? null },
        filter.line === undefined ? null : { file: build_file.path, line: filter.line },
      ),
    says: ({ branch, filter }) =>
      filter.by === 'except'
        ? `branch excluded: ${branch} matches ${filter.entry ?? 'an entry'} of branches.except`
        : `branch not included: ${branch} matches no entry of branches.only`,
  },
  {
    reason: 'condition',
    look({ condition, build_file }) {
      if (condition === null) return null
      const { holds, line, ...values } = condition
      return check(
        'condition',
        holds,
        values,
        line === null ? null : { file: build_file.path, line },
      )
    },
    says: ({ condition }) =>
      condition?.error
        ? `condition cannot be decided, which counts as false: ${condition.condition}`
        : `condition did not match: ${condition?.condition ?? ''}`,
  },
  {
    reason: 'no_jobs',
    look: ({ jobs, dropped }) => check('jobs', jobs > 0, { jobs, ...dropped }),
    says: ({ dropped }) => `configuration created no jobs${leftOut(dropped)}`,
  },
]

const whyLeftOut: Readonly<Record<string, string>> = {
  condition: 'by their condition',
  stage: 'with their stage',
  excluded: 'by jobs.exclude',
}

function leftOut(dropped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(dropped).flatMap(([why, count]) => {
    const words = whyLeftOut[why]
    return words === undefined ? [] : [`${count} ${words}`]
  })
  return reasons.length === 0 ? '' : `: left out were ${reasons.join(', ')}`
}

export function mentionsPages(only: readonly string[]): boolean {
  return only.some((entry) => pagesBranch.test(entry))
}

/** More jobs than this make an errored build (decision 19). */
export const maximumJobs = 200

/** Whether a status `success` is posted for it: somebody wanted no build (NT-08). */
export function isSkippedOnPurpose(reason: RejectionReason): boolean {
  return purposes.includes(reason)
}

const purposes: readonly RejectionReason[] = [
  'skip_command',
  'pushes_disabled',
  'pull_requests_disabled',
  'pages_branch',
  'branch_excluded',
  'condition',
]

/** The sentence of a request that could not be decided on, however often it was tried. */
export const internalError: Rejection = {
  reason: 'internal_error',
  message:
    'internal error: the service could not process this event; its operator finds the cause in the log',
}

/** Milliseconds until the merge commit is asked for again: 1, 2, 4, 8, 16, 30, 30 … s (WH-33). */
export function mergeCommitPause(waits: number): number | undefined {
  const pauses = [1, 2, 4, 8, 16, 30, 30, 30, 30, 29]
  const pause = pauses[waits]
  return pause === undefined ? undefined : pause * 1000
}
