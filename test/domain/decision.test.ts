import { describe, expect, test } from 'vitest'
import { decide, isSkippedOnPurpose } from '../../src/domain/decision.ts'
import { type EarlyFacts, earlyRules } from '../../src/domain/early-rules.ts'
import { mergeDelay } from '../../src/domain/merge.ts'
import { type LateFacts, lateRules } from '../../src/domain/late-rules.ts'

const push: EarlyFacts = {
  event_type: 'push',
  repository: { slug: 'octavia/hello', active: true },
  settings: { build_pushes: true, build_pull_requests: true },
  sender: { login: 'octavia', blocked: false },
  sha: 'a'.repeat(40),
  pull: null,
  message: 'Say hello',
}
const head = 'd'.repeat(40)
const made = { head, moved: null, merge: 'made', mergeable_state: 'clean' } as const
const pull: EarlyFacts = { ...push, event_type: 'pull_request', pull: made }
const moved: EarlyFacts = {
  ...pull,
  sha: null,
  pull: { ...made, merge: 'missing', moved: { to: 'e'.repeat(40), request_id: 12 } },
}
const off = { build_pushes: false, build_pull_requests: false }

describe('before the build file is read', () => {
  test.each([
    ['a push', push, null],
    ['a pull request', pull, null],
    [
      'a repository that is not enabled',
      { ...push, repository: { slug: 'a/b', active: false } },
      'repository_inactive',
    ],
    ['a push without a commit', { ...push, sha: null }, 'no_commit'],
    [
      'a pull request with conflicts',
      { ...pull, sha: null, pull: { ...made, merge: 'conflict' } },
      'no_merge_commit',
    ],
    ['a merge commit that is awaited', { ...pull, pull: { ...made, merge: 'awaited' } }, null],
    ['a pull request at another head', moved, 'head_moved'],
    ['a skip command', { ...push, message: 'Typo [skip ci]' }, 'skip_command'],
    ['a skip command that came by API', { ...push, event_type: 'api', message: '[ci skip]' }, null],
    ['pushes switched off', { ...push, settings: off }, 'pushes_disabled'],
    ['pull requests switched off', { ...pull, settings: off }, 'pull_requests_disabled'],
    ['a cron with both switched off', { ...push, event_type: 'cron', settings: off }, null],
    [
      'a blocked sender',
      { ...push, sender: { login: 'mallory', blocked: true } },
      'sender_blocked',
    ],
  ] as [string, EarlyFacts, string | null][])('%s: %3$s', (_what, facts, reason) => {
    expect(decide(earlyRules, facts).rejection?.reason ?? null).toBe(reason)
  })

  test('the first check that fails decides, and all checks that were made are returned', () => {
    const { checks, rejection } = decide(earlyRules, {
      ...push,
      message: '[skip ci]',
      settings: off,
    })
    expect(rejection?.message).toBe('skipped by commit message: it contains [skip ci]')
    expect(checks).toEqual([
      { rule: 'repository_active', passed: true, values: { slug: 'octavia/hello' }, source: null },
      { rule: 'commit', passed: true, values: { sha: push.sha }, source: null },
      { rule: 'skip_command', passed: false, values: { command: '[skip ci]' }, source: null },
    ])
  })
})

const file: LateFacts = {
  branch: 'main',
  only_with_build_file: true,
  build_file: { path: '.service.yml', found: true },
  filter: { included: true, by: null },
  pages_listed: false,
  condition: null,
  dropped: {},
  jobs: 1,
}

describe('once the build file is read', () => {
  test.each([
    ['a good one', file, null],
    ['none', { ...file, build_file: { path: '.service.yml', found: false } }, 'no_build_file'],
    [
      'none where none is needed',
      { ...file, only_with_build_file: false, build_file: { path: '.service.yml', found: false } },
      null,
    ],
    [
      'a branch that is not listed',
      { ...file, filter: { included: false, by: 'only' } },
      'branch_excluded',
    ],
    ['a pages branch', { ...file, branch: 'gh-pages' }, 'pages_branch'],
    ['a pages branch that is listed', { ...file, branch: 'gh_pages', pages_listed: true }, null],
    ['no jobs', { ...file, jobs: 0 }, 'no_jobs'],
  ] as [string, LateFacts, string | null][])('%s: %3$s', (_what, facts, reason) => {
    expect(decide(lateRules, facts).rejection?.reason ?? null).toBe(reason)
  })

  test('an excluded branch is reported with the entry that excludes it', () => {
    const filter = { included: false, by: 'except' as const, entry: '/^wip/' }
    const { rejection } = decide(lateRules, { ...file, branch: 'wip-1', filter })
    expect(rejection?.message).toBe('branch excluded: wip-1 matches /^wip/ of branches.except')
  })
})

test('only what was skipped on purpose counts as skipped', () => {
  expect(isSkippedOnPurpose('skip_command')).toBe(true)
  expect(isSkippedOnPurpose('no_build_file')).toBe(false)
})

test('a merge commit is looked up again after growing pauses, without end', () => {
  const pauses = Array.from({ length: 12 }, (_, waits) => mergeDelay(waits))
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 60, 120, 300, 600, 600, 600])
})
