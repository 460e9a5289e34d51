import { expect, test } from 'vitest'
import { rejectedStatus, statusContext, statusKindsOf, statusOf } from '../../src/domain/status.ts'

test.each([
  ['created', 'pending', 'The build is waiting'],
  ['received', 'pending', 'The build is waiting'],
  ['started', 'pending', 'The build is running'],
  ['passed', 'success', 'The build passed'],
  ['failed', 'failure', 'The build failed'],
  ['errored', 'error', 'The build ended with an error'],
  ['canceled', 'error', 'The build was canceled'],
] as const)('a build that is %s: %s, %s', (state, status, description) => {
  expect(statusOf(state)).toEqual({ state: status, description })
})

const queued = `refs/heads/gh-readonly-queue/main/pr-7-${'a'.repeat(40)}`

test.each([
  ['push', 'refs/heads/main', ['push']],
  ['api', null, ['push']],
  ['cron', null, ['push']],
  ['pull_request', 'refs/pull/7/merge', ['pr']],
  ['pull_request', queued, ['push', 'pr']],
] as const)('a %s of %s reports to %j', (event_type, ref, kinds) => {
  expect(statusKindsOf({ event_type, ref })).toEqual(kinds)
})

test('a context names the service and the kind', () => {
  expect(statusContext('pr', 'service')).toBe('continuous-integration/service/pr')
})

test.each([
  ['skip_command', 'skipped', 'success', 'No build: skipped'],
  ['no_merge_commit', 'it conflicts', 'error', 'No build: it conflicts'],
  ['head_moved', 'both heads', 'error', 'Superseded: the pull request is at another head by now'],
] as const)('a request rejected for %s: %3$s', (reason, message, state, description) => {
  expect(rejectedStatus({ reason, message, checks: [], ref: null })).toEqual({ state, description })
})

test('a long reason fits into a status', () => {
  const message = 'x'.repeat(500)
  const { description } = rejectedStatus({ reason: 'condition', message, checks: [], ref: null })
  expect(description).toHaveLength(140)
})

test.each([
  [null, 'success'],
  ['line 1, column 9: a name is missing', 'error'],
])('a condition that does not hold, with error %j: %s', (error, state) => {
  const checks = [{ rule: 'condition', passed: false, values: { error }, source: null }]
  expect(rejectedStatus({ reason: 'condition', message: '', checks, ref: null })).toMatchObject({
    state,
  })
})
