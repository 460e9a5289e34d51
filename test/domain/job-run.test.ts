import { expect, test } from 'vitest'
import type { Failure } from '../../src/domain/failure/failure.ts'
import { endedByItself } from '../../src/domain/failure/job-run.ts'

const failure: Failure = {
  ...{ basis: 'new', kind: 'tests', command: 'npm test', phase: 'script', exit_code: 1 },
  ...{ lines: [], compared: [] },
}

test('a job that failed with its own exit code ended by itself', () => {
  expect(endedByItself('passed', null)).toBe(true)
  expect(endedByItself('failed', failure)).toBe(true)
  // A program that crashed.
  expect(endedByItself('failed', { ...failure, exit_code: 139 })).toBe(true)
})

test.each([129, 130, 131, 137, 143])(
  'a job killed by a signal (%i) did not end by itself, whatever it printed before',
  (exit_code) => {
    expect(endedByItself('failed', { ...failure, exit_code })).toBe(false)
    expect(endedByItself('failed', { ...failure, kind: null, exit_code })).toBe(false)
  },
)

test('a job that hit a limit or could not start did not end by itself', () => {
  expect(endedByItself('failed', { ...failure, basis: 'limit' })).toBe(false)
  expect(endedByItself('failed', { ...failure, kind: 'memory' })).toBe(false)
  expect(endedByItself('errored', failure)).toBe(false)
  expect(endedByItself('failed', null)).toBe(false)
})
