import { expect, test } from 'vitest'
import { rejectedStatus, statusContext, statusOf } from '../../src/domain/status.ts'

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

test.each([
  ['push', 'continuous-integration/service/push'],
  ['api', 'continuous-integration/service/push'],
  ['cron', 'continuous-integration/service/push'],
  ['pull_request', 'continuous-integration/service/pr'],
] as const)('a %s reports to %s', (event, context) => {
  expect(statusContext(event, 'service')).toBe(context)
})

test.each([
  ['skip_command', 'skipped', 'success', 'No build: skipped'],
  ['no_merge_commit', 'it conflicts', 'error', 'No build: it conflicts'],
  [
    'head_moved',
    'both heads',
    'error',
    'Superseded: the pull request has a newer head, which is built instead',
  ],
] as const)('a request rejected for %s: %3$s', (reason, message, state, description) => {
  expect(rejectedStatus({ reason, message })).toEqual({ state, description })
})

test('a long reason fits into a status', () => {
  const { description } = rejectedStatus({ reason: 'condition', message: 'x'.repeat(500) })
  expect(description).toHaveLength(140)
})
