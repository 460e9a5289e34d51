import { describe, expect, test } from 'vitest'
import type { BuildState } from '../../src/domain/build.ts'
import { checkedOf } from '../../src/domain/commit/commit-check.ts'
import { statusesOf } from '../../src/domain/commit/commit-status.ts'
import type { RequestAbout } from '../../src/domain/request/about.ts'
import { check } from '../../src/domain/request/check.ts'
import type { RejectionReason } from '../../src/domain/request/request.ts'

type Given = Partial<Omit<RequestAbout, 'pull' | 'build'>> & {
  pull?: Partial<NonNullable<RequestAbout['pull']>>
}

/** A request; numbered by its position in the list. */
type Made = (id: number) => RequestAbout

const request = ({ pull, ...given }: Given, rest: Partial<RequestAbout>): Made => {
  const isOfPull = pull !== undefined
  return (id) => ({
    id,
    event_type: isOfPull ? 'pull_request' : 'push',
    ref: isOfPull ? `refs/pull/${pull.number ?? 1}/merge` : 'refs/heads/main',
    base_ref: isOfPull ? 'main' : null,
    from_fork: false,
    result: null,
    reason: null,
    message: null,
    checks: [],
    awaits_merge: false,
    is_held: true,
    pull: isOfPull
      ? { number: 1, base_ref: 'main', is_current: true, is_approved: false, ...pull }
      : null,
    build: null,
    ...given,
    ...rest,
  })
}

const built = (state: BuildState, given: Given = {}, waits = false): Made => {
  const has_started = !waits && state !== 'created'
  const about = { state, has_started, waits_for_approval: waits, is_unusable: false }
  const build = { ...about, jobs: 1, unmet: [] }
  return (id) => request(given, { result: 'accepted', build: { ...build, id: 100 + id } })(id)
}

const rejected = (reason: RejectionReason, given: Given = {}): Made =>
  request({ message: reason, ...given }, { result: 'rejected', reason })

const open = (given: Given = {}) => request(given, {})

/** The expected statuses: each context with its state, its text and the number of its request. */
function shown(requests: readonly Made[], showsSkipped = true): string[] {
  const statuses = statusesOf(
    requests.map((make, index) => make(index + 1)),
    showsSkipped,
  )
  return Object.entries(statuses).map(
    ([
      kind,
      {
        state,
        text,
        request: { id },
        about,
        only,
      },
    ]) =>
      [kind, state, `(${id})`, about && `${about}:`, text, only && `[${only}]`]
        .filter(Boolean)
        .join(' '),
  )
}

const tag: Given = { ref: 'refs/tags/v1' }
const topic: Given = { ref: 'refs/heads/topic' }
const cron: Given = { event_type: 'cron' }
const api: Given = { event_type: 'api' }
const pull: Given = { pull: {} }
const second: Given = { pull: { number: 2, base_ref: 'rel' }, base_ref: 'rel' }
const relOfFirst: Given = { pull: { base_ref: 'rel' }, base_ref: 'rel' }
const fork: Given = { from_fork: true, pull: { number: 3 } }
const approved: Given = { from_fork: true, pull: { number: 3, is_approved: true } }
const closed: Given = { pull: { number: 4, is_current: false } }
const group: Given = { ref: 'refs/heads/gh-readonly-queue/main/pr-7-abc', pull: { number: 7 } }
const waiting = 'Waiting for a maintainer to approve this commit'
const superseded = 'Superseded: the pull request was closed or has another head'

describe('a commit shows', () => {
  test.each<[title: string, requests: Made[], shown: string[]]>([
    ['nothing without requests', [], []],
    ['the result of its branch', [built('passed')], ['push success (1) The build passed']],
    [
      'each kind of event in its own context (a)',
      [
        built('failed'),
        built('passed', tag),
        built('passed', cron),
        built('started', api),
        built('passed', pull),
      ],
      [
        'push failure (1) The build failed',
        'tag success (2) The build passed',
        'cron success (3) The build passed',
        'api pending (4) Build running',
        'pr success (5) The build passed',
      ],
    ],
    [
      'the newest request of a branch (a)',
      [built('failed'), built('passed')],
      ['push success (2) The build passed'],
    ],
    [
      'only built requests of crons and the API (a)',
      [built('failed', cron), rejected('condition', cron), rejected('condition', api)],
      ['cron failure (1) The build failed'],
    ],
    [
      'the worse result of two branches, with the branch name (d)',
      [built('failed', topic), built('passed')],
      ['push failure (1) branch topic: The build failed'],
    ],
    [
      'the newest of two equal results (d)',
      [built('passed', topic), built('passed')],
      ['push success (2) branch main: The build passed'],
    ],
    [
      'the result of a branch that has moved on only while no other branch was built (e)',
      [built('failed', { ...topic, is_held: false }), built('passed')],
      ['push success (2) The build passed'],
    ],
    [
      'the worse result of two deleted branches (e)',
      [
        built('failed', { ...topic, is_held: false }),
        built('passed', { ref: 'refs/heads/main', is_held: false }),
      ],
      ['push failure (1) branch topic: The build failed'],
    ],
    [
      'the worse result of two pull requests with this head (b)',
      [built('failed', pull), built('passed', second)],
      ['pr failure (1) #1 into main: The build failed'],
    ],
    [
      'no result of another base (b)',
      [built('passed', { pull: { base_ref: 'rel' } })],
      ['pr error (1) not tested against rel'],
    ],
    [
      'no result of another base, even if nothing counts for its own base (b)',
      [built('passed', { pull: { base_ref: 'rel' } }), rejected('no_build_file', relOfFirst)],
      ['pr error (1) not tested against rel'],
    ],
    [
      'no success of a skipped fork for another fork that waits (b)',
      [
        rejected('condition', { ...fork, checks: [check('base_file', false, {})] }),
        built('created', { ...fork, ref: 'refs/pull/4/merge', pull: { number: 4 } }, true),
      ],
      [`pr pending (2) ${waiting}`],
    ],
    [
      'an unapproved fork only if there is no pull request of the repository (b)',
      [built('passed', pull), built('created', fork, true)],
      ['pr success (1) The build passed'],
    ],
    [
      'the oldest fork that waits for approval, regardless of closed ones (b)',
      [built('canceled', closed), built('created', fork, true)],
      [`pr pending (2) ${waiting}`],
    ],
    [
      'the result of a fork that runs without an approval (b)',
      [built('failed', fork)],
      ['pr failure (1) The build failed'],
    ],
    [
      'no success of an unapproved fork for another fork that waits (b)',
      [
        built('passed', fork),
        built('created', { ...fork, ref: 'refs/pull/4/merge', pull: { number: 4 } }, true),
      ],
      [`pr pending (2) ${waiting}`],
    ],
    [
      'a fork as waiting if it skips itself after a failure without approval (c)',
      [built('failed', fork), rejected('condition', fork)],
      [`pr pending (2) ${waiting}: condition`],
    ],
    [
      'an approved fork like a pull request of the repository (b)',
      [built('failed', pull), built('passed', approved)],
      ['pr failure (1) #1 into main: The build failed'],
    ],
    [
      'a fork with an expired approval like one without an approval (b)',
      [built('passed', pull), built('created', approved, true)],
      ['pr success (1) The build passed'],
    ],
    [
      'the newest result of closed pull requests, ignoring those that never started (b)',
      [built('passed', closed), built('created', closed, true)],
      ['pr success (1) The build passed'],
    ],
    [
      'a superseded pull request if nothing else counts (c)',
      [built('created', closed, true)],
      [`pr error (1) ${superseded} [over]`],
    ],
    [
      'nothing about requests that do not count (c)',
      [built('failed'), rejected('repository_inactive'), rejected('no_build_file')],
      ['push failure (1) The build failed'],
    ],
    [
      'an error for a build file that was deleted (c)',
      [
        rejected('no_build_file', {
          checks: [check('build_file', false, { path: '.service.yml', lost: true })],
        }),
      ],
      ['push error (1) No build: no_build_file'],
    ],
    [
      'a success if no build was wanted (c)',
      [rejected('skip_command')],
      ['push success (1) No build: skip_command'],
    ],
    [
      'an error for a condition that can never be true (c)',
      [rejected('condition', { checks: [check('condition', false, { never: 'a typo' })] })],
      ['push error (1) No build: condition'],
    ],
    [
      'an error for a conflict (c)',
      [built('passed', { pull: { base_ref: 'rel' } }), rejected('no_merge_commit', pull)],
      ['pr error (2) No build: no_merge_commit'],
    ],
    [
      'a waiting build, regardless of a pull request closed before its decision (c)',
      [
        built('created', pull),
        rejected('no_merge_commit', {
          ...second,
          checks: [check('merge_commit', false, { merge: 'closed' })],
        }),
      ],
      ['pr pending (1) Build queued'],
    ],
    ...(['skip_command', 'pages_branch', 'branch_excluded', 'condition', 'no_jobs'] as const).map(
      (reason): [string, Made[], string[]] => [
        `no success that a fork gives itself: ${reason} (c)`,
        [rejected(reason, fork)],
        [`pr pending (1) ${waiting}: ${reason}`],
      ],
    ),
    [
      'a superseded pull request once a skipped fork is closed (c)',
      [rejected('skip_command', { from_fork: true, ...closed })],
      [`pr error (1) ${superseded} [over]`],
    ],
    [
      'a success for a skipped fork once a maintainer has approved it (c)',
      [rejected('skip_command', approved)],
      ['pr success (1) No build: skip_command'],
    ],
    [
      'a success for a skipped fork if the base skips it as well (c)',
      [rejected('condition', { ...fork, checks: [check('base_file', false, {})] })],
      ['pr success (1) No build: condition'],
    ],
    [
      'an undecided request only if something else was shown before (c)',
      [built('passed', pull), open(pull)],
      ['pr pending (2) Reading the build file [late]'],
    ],
    [
      'a pending merge commit (c)',
      [open({ ...pull, awaits_merge: true })],
      ['pr pending (1) Waiting for the code host to create the merge commit'],
    ],
    [
      'a merge group as a branch and as a pull request (f)',
      [built('failed', group)],
      ['push failure (1) The build failed', 'pr failure (1) The build failed'],
    ],
    [
      'an error to a merge queue that requires pushes, if a condition skipped its commit (f)',
      [rejected('condition', group)],
      [
        'push error (1) No build for the merge queue: condition',
        'pr success (1) No build: condition',
      ],
    ],
    [
      "the push of a group's commit once the group is gone (f)",
      [
        built('canceled', { ...group, is_held: false, pull: { is_current: false } }),
        built('passed'),
      ],
      ['push success (2) The build passed', 'pr error (1) The build was canceled'],
    ],
  ])('%s', (_title, requests, expected) => {
    expect(shown(requests)).toEqual(expected)
  })
})

describe('the check of a commit shows', () => {
  test.each<[title: string, requests: Made[], checked: string | undefined]>([
    ['nothing without requests', [], undefined],
    ['nothing while no request is decided', [open()], undefined],
    ['the result of a build', [built('passed')], 'neutral (1)'],
    [
      'a passed push, beside a closed pull request that never ran',
      [built('passed'), built('created', closed)],
      'neutral (1)',
    ],
    [
      'a passed push, beside a fork that was closed before an approval',
      [built('passed'), built('canceled', { from_fork: true, ...closed }, true)],
      'neutral (1)',
    ],
    [
      'a passed push, beside a pull request that was closed before its decision',
      [
        built('passed'),
        rejected('no_merge_commit', {
          ...pull,
          checks: [check('merge_commit', false, { merge: 'closed' })],
        }),
      ],
      'neutral (1)',
    ],
    ['a canceled build if nothing else counts', [built('created', closed)], 'cancelled (1)'],
    [
      'the worst result, whatever its context',
      [built('passed'), rejected('no_merge_commit', pull)],
      'failure (2)',
    ],
    [
      'a required action for a fork that skips itself',
      [built('passed'), rejected('skip_command', fork)],
      'action_required (2)',
    ],
    ['a skipped check if no build was wanted', [rejected('skip_command')], 'skipped (1)'],
  ])('%s', (_title, requests, expected) => {
    const found = checkedOf(requests.map((make, index) => make(index + 1)))
    expect(found && `${found.conclusion} (${found.request.id})`).toBe(expected)
  })
})

test('if skipped requests post no success, only built requests count', () => {
  expect(shown([built('failed'), rejected('skip_command')], false)).toEqual([
    'push failure (1) The build failed',
  ])
})
