import { describe, expect, test } from 'vitest'
import { mergeDelay } from '../../src/domain/commit/merge.ts'
import { check } from '../../src/domain/request/check.ts'
import { decide, usableCheck } from '../../src/domain/request/decision.ts'
import { type EarlyFacts, earlyRules } from '../../src/domain/request/early-rules.ts'
import { type LateFacts, lateRules } from '../../src/domain/request/late-rules.ts'

const push: EarlyFacts = {
  event_type: 'push',
  repository: { slug: 'octavia/hello', active: true, archived: null },
  owner: { login: 'octavia', built: null },
  settings: { build_pushes: true, build_pull_requests: true },
  sender: { login: 'octavia', blocked: false },
  sha: 'a'.repeat(40),
  wanted: null,
  named: null,
  pull: null,
  message: 'Say hello',
}
const head = 'd'.repeat(40)
const made = { head, moved: null, merge: 'made', mergeable_state: 'clean', base: 'main' } as const
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
      { ...push, repository: { slug: 'a/b', active: false, archived: null } },
      'repository_inactive',
    ],
    [
      'an archived repository',
      { ...push, repository: { slug: 'a/b', active: false, archived: 'a/b is archived' } },
      'repository_archived',
    ],
    ['a push without a commit', { ...push, sha: null }, 'no_commit'],
    [
      'a pull request with conflicts',
      { ...pull, sha: null, pull: { ...made, merge: 'conflict' } },
      'no_merge_commit',
    ],
    ['a pending merge commit', { ...pull, pull: { ...made, merge: 'awaited' } }, null],
    ['a pull request at another head', moved, 'head_moved'],
    [
      "an owner who is not on the operator's list",
      { ...push, owner: { login: 'octavia', built: false } },
      'owner_excluded',
    ],
    ["an owner on the operator's list", { ...push, owner: { login: 'a', built: true } }, null],
    ['a skip command', { ...push, message: 'Typo [skip ci]' }, 'skip_command'],
    [
      'a skip command in a request by API',
      { ...push, event_type: 'api', message: '[ci skip]' },
      null,
    ],
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

  test('the first failing check decides, and all evaluated checks are returned', () => {
    const { checks, rejection } = decide(earlyRules, {
      ...push,
      message: '[skip ci]',
      settings: off,
    })
    expect(rejection?.message).toBe('skipped by commit message: it contains [skip ci]')
    expect(checks).toEqual([
      { rule: 'repository_active', passed: true, values: { slug: 'octavia/hello' }, source: null },
      { rule: 'commit', passed: true, values: { sha: push.sha }, source: null },
      { rule: 'sender', passed: true, values: { login: push.sender.login }, source: null },
      { rule: 'skip_command', passed: false, values: { command: '[skip ci]' }, source: null },
    ])
  })
})

const file: LateFacts = {
  branch: 'main',
  names: 'branch',
  only_with_build_file: true,
  build_file: {
    path: '.service.yml',
    found: true,
    brought: false,
    before: false,
    lost: false,
    other: null,
  },
  filter: { included: true, by: null, only: [], place: null },
  pages_listed: false,
  condition: null,
  dropped: {},
  unreadable: false,
  never: false,
  left_out: [],
  left_out_line: null,
  jobs: 1,
}

const missing = {
  path: '.service.yml',
  found: false,
  brought: false,
  before: false,
  lost: false,
  other: null,
}

describe('once the build file is read', () => {
  test.each([
    ['a valid build file', file, null],
    ['none', { ...file, build_file: missing }, 'no_build_file'],
    [
      'no build file where none is needed',
      { ...file, only_with_build_file: false, build_file: missing },
      null,
    ],
    [
      'a branch that is not included',
      { ...file, filter: { included: false, by: 'only', only: ['a'], place: null } },
      'branch_excluded',
    ],
    ['a pages branch', { ...file, branch: 'gh-pages' }, 'pages_branch'],
    [
      'a pages branch without a build file',
      { ...file, branch: 'gh-pages', build_file: missing },
      'pages_branch',
    ],
    ['a pages branch that is included', { ...file, branch: 'gh_pages', pages_listed: true }, null],
    ['no jobs', { ...file, jobs: 0 }, 'no_jobs'],
  ] as [string, LateFacts, string | null][])('%s: %3$s', (_what, facts, reason) => {
    expect(decide(lateRules, facts).rejection?.reason ?? null).toBe(reason)
  })

  test('an excluded branch is reported with the entry that excludes it', () => {
    const by = 'except' as const
    const filter = {
      included: false,
      by,
      entry: '/^wip/',
      only: [],
      place: { file: '.service.yml', line: 4 },
    }
    const { rejection } = decide(lateRules, { ...file, branch: 'wip-1', filter })
    expect(rejection?.message).toBe(
      'branch excluded: wip-1 matches /^wip/ of branches.except (line 4)',
    )
  })

  test.each([
    ['branch', 'branch not included: v1 matches no entry of branches.only (line 3): main, /^x/'],
    ['tag', 'tag not included: v1 matches no entry of branches.only (line 3): main, /^x/'],
    [
      'base branch',
      'base branch not included: v1 matches no entry of branches.only (line 3): main, /^x/',
    ],
  ] as const)('an excluded %s is named in the reason, beside the included ones', (names, text) => {
    const filter = {
      included: false,
      by: 'only' as const,
      only: ['main', '/^x/'],
      place: { file: '.service.yml', line: 3 },
    }
    const { rejection, checks } = decide(lateRules, { ...file, branch: 'v1', names, filter })
    expect(rejection?.message).toBe(text)
    expect(checks.at(-1)).toMatchObject({
      values: { [names.replace(' ', '_')]: 'v1', only: ['main', '/^x/'] },
      source: { file: '.service.yml', line: 3 },
    })
  })

  test('a long list is cut', () => {
    const only = Array.from({ length: 12 }, (_none, index) => `b${index}`)
    const filter = { included: false, by: 'only' as const, only, place: null }
    expect(decide(lateRules, { ...file, filter }).rejection?.message).toMatch(
      /only: b0, .*, b9 and 2 more$/,
    )
  })

  test('the reason suggests adding a build file only if there never was one', () => {
    const messageOf = (before: boolean) =>
      decide(lateRules, { ...file, build_file: { ...missing, before } }).rejection?.message
    expect(messageOf(false)).toBe(
      'no build configuration file: add .service.yml, ' +
        'or turn off builds_only_with_service_yml in the settings',
    )
    expect(messageOf(true)).toBe(
      'no build configuration file: this commit has no .service.yml, although an earlier commit had it; ' +
        'merge or copy it from there',
    )
  })
})

test('a merge commit is queried again after growing pauses, without limit', () => {
  const pauses = Array.from({ length: 12 }, (_, waits) => mergeDelay(waits))
  expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 60, 120, 300, 600, 600, 600])
})

test('control and invisible characters in a rejection are escaped', () => {
  const rule = {
    reason: 'condition' as const,
    evaluate: () => check('condition', false),
    message: () => 'main\u001B]0;pwned\u0007 \u202Egnp',
  }
  expect(decide([rule], {}).rejection?.message).toBe(String.raw`main\x1b]0;pwned\x07 \u202egnp`)
  expect(usableCheck('\u001B[2J', null).values).toEqual({ says: String.raw`\x1b[2J` })
})
