import { expect, test } from 'vitest'
import { meaningOf, statusContext, statusKindsOf } from '../../src/domain/commit/status.ts'

test.each([
  ['created', 'pending', 'Build queued'],
  ['received', 'pending', 'Build queued'],
  ['started', 'pending', 'Build running'],
  ['passed', 'success', 'The build passed'],
  ['failed', 'failure', 'The build failed'],
  ['errored', 'error', 'The build ended with an error'],
  ['canceled', 'error', 'The build was canceled'],
] as const)('a build that is %s has the status %s: %s', (state, status, text) => {
  expect(meaningOf(state)).toEqual({ state: status, text })
})

const queued = `refs/heads/gh-readonly-queue/main/pr-7-${'a'.repeat(40)}`

test.each([
  ['push', 'refs/heads/main', ['push']],
  ['push', 'refs/tags/v1', ['tag']],
  ['api', 'refs/heads/main', ['api']],
  ['cron', 'refs/heads/main', ['cron']],
  ['pull_request', 'refs/pull/7/merge', ['pr']],
  ['pull_request', queued, ['push', 'pr']],
] as const)('a %s of %s reports to the contexts %j', (event_type, ref, kinds) => {
  expect(statusKindsOf({ event_type, ref })).toEqual(kinds)
})

test('a context names the service and the kind', () => {
  expect(statusContext('pr', 'service')).toBe('continuous-integration/service/pr')
})
