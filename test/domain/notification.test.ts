import { describe, expect, test } from 'vitest'
import type { BuildState } from '../../src/domain/build.ts'
import { type Frequencies, isWanted, resultWord } from '../../src/domain/notification.ts'

type Row = [
  rules: Frequencies,
  previous: BuildState | null,
  state: BuildState,
  webhook: boolean,
  email: boolean,
]

describe('a target', () => {
  test.each<Row>([
    [{}, null, 'passed', true, true],
    [{}, 'passed', 'passed', true, false],
    [{}, 'failed', 'passed', true, true],
    [{}, 'failed', 'failed', true, true],
    [{}, 'passed', 'errored', true, true],
    [{}, 'passed', 'canceled', true, true],
    [{}, 'passed', 'started', false, false],
    [{}, 'passed', 'created', false, false],
    [{ on_start: 'always' }, 'passed', 'started', true, false],
    [{ on_start: 'change' }, 'failed', 'started', false, false],
    [{ on_success: 'never' }, 'failed', 'passed', false, false],
    [{ on_success: 'always' }, 'passed', 'passed', true, true],
    [{ on_success: 'change' }, 'passed', 'passed', false, false],
    [{ on_failure: 'change' }, 'passed', 'failed', true, true],
    [{ on_failure: 'change' }, null, 'failed', true, true],
    [{ on_failure: 'change' }, 'errored', 'failed', false, false],
    [{ on_failure: 'never' }, 'passed', 'errored', false, false],
    [{ on_failure: 'never' }, 'passed', 'canceled', true, false],
    [{ on_failure: 'never', on_error: 'always' }, 'passed', 'errored', true, true],
    [{ on_failure: 'always', on_error: 'never' }, 'passed', 'errored', false, false],
    [{ on_failure: 'never', on_cancel: 'always' }, 'passed', 'canceled', true, true],
  ])(
    'with %j, after %s, %s is sent: as webhook %s, as mail %s',
    (rules, previous_state, state, webhook, email) => {
      const outcome = { state, previous_state }
      expect(isWanted('webhook', rules, outcome)).toBe(webhook)
      expect(isWanted('email', rules, outcome)).toBe(email)
    },
  )
})

test.each<[BuildState | null, BuildState, string]>([
  ['passed', 'failed', 'Broken'],
  ['failed', 'passed', 'Fixed'],
  ['failed', 'failed', 'Still Failing'],
  ['passed', 'passed', 'Passed'],
  ['errored', 'passed', 'Passed'],
  [null, 'failed', 'Failed'],
  ['passed', 'errored', 'Errored'],
  ['failed', 'canceled', 'Canceled'],
  ['passed', 'started', 'Pending'],
])('after %s, %s is called %s', (previous_state, state, word) => {
  expect(resultWord({ state, previous_state })).toBe(word)
})
