import { expect, test } from 'vitest'
import { skippedStatus, statusContext, statusOf } from '../../src/domain/status.ts'

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

test('a long reason fits into a status', () => {
  expect(skippedStatus('x'.repeat(500)).description).toHaveLength(140)
})
