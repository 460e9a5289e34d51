import { expect, test } from 'vitest'
import { failedBuildText } from '../../src/domain/failure/failed-build.ts'
import type { Failure } from '../../src/domain/failure/failure.ts'
import type { Job } from '../../src/domain/job/job.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 2, 12, 0, seconds))

function failed(given: Partial<Job> = {}, lines: readonly string[] = [], command = 'npm test') {
  const job: Pick<Job, 'number' | 'name' | 'config' | 'origin'> = {
    number: '7.2',
    name: null,
    config: { node_js: '20' },
    origin: { kind: 'matrix', line: null, differing: ['node_js'] },
    ...given,
  }
  const failure: Failure = {
    ...{ basis: 'new', kind: null, command, phase: 'script', exit_code: 1, compared: [] },
    lines: lines.map((text, index) => ({ number: index + 1, text, before: [], after: [] })),
  }
  return { job, failure }
}

const all = { names: true, lines: true }
const build = { state: 'failed', started_at: at(0), finished_at: at(120) } as const

test('the text names command and job, and how the job differs from others', () => {
  const text = failedBuildText({ build, jobs: 3, failed: [failed()] }, all, 140)
  expect(text).toBe('Failed in 2 min: "npm test" in job 2 (node 20)')
})

test('the likeliest cause follows if it fits', () => {
  const of = { build, jobs: 1, failed: [failed({}, ['E   assert\u0007 5 == \u202E6', 'other'])] }
  expect(failedBuildText(of, all, 140)).toBe(
    String.raw`Failed in 2 min: "npm test": assert\x07 5 == \u202e6`,
  )
  expect(failedBuildText(of, { names: true, lines: false }, 140)).toBe(
    'Failed in 2 min: "npm test"',
  )
})

test.each([
  [
    '--- FAIL: TestAdd (0.00s)',
    ['    a_test.go:7: want 4'],
    '--- FAIL: TestAdd (0.00s): a_test.go:7: want 4',
  ],
  [
    "thread 't' panicked at src/lib.rs:1:9:",
    ['assertion failed'],
    "thread 't' panicked at src/lib.rs:1:9: assertion failed",
  ],
  [
    '● cart › adds',
    ['expect(received).toBe(expected)', 'Expected: 3'],
    '● cart › adds: Expected: 3',
  ],
  [
    '1) MathTest::testSquare',
    ['Failed asserting that 6 is 9.'],
    '1) MathTest::testSquare: Failed asserting that 6 is 9.',
  ],
  ['TypeError: x is not a function', ['    at run (a.js:1:2)'], 'TypeError: x is not a function'],
  ['ERROR: cannot open:', [], 'ERROR: cannot open:'],
])('%j is followed by the message below it, if it has none itself', (text, after, shown) => {
  const { job, failure } = failed()
  const lines = [{ number: 1, text, before: [], after }]
  const of = { build, jobs: 1, failed: [{ job, failure: { ...failure, lines } }] }
  expect(failedBuildText(of, all, 140)).toBe(`Failed in 2 min: "npm test": ${shown}`)
})

test('the exit code is shown if nothing in the log is new', () => {
  const { job, failure } = failed({}, ['> app@1.0.0 test'])
  const silent = (exit_code: number | null) =>
    failedBuildText(
      {
        build,
        jobs: 1,
        failed: [{ job, failure: { ...failure, basis: 'nothing_new', exit_code } }],
      },
      all,
      140,
    )
  expect(silent(3)).toBe('Failed in 2 min: "npm test": exited with 3')
  expect(silent(127)).toBe('Failed in 2 min: "npm test": exited with 127 (command not found)')
  // A command that did not end has no exit code.
  expect(silent(null)).toBe('Failed in 2 min: "npm test": > app@1.0.0 test')
})

test('only the position of a job is shown if its name could come from a private file', () => {
  const of = { build, jobs: 2, failed: [failed({ name: 'secret plan' }, ['line']), failed()] }
  expect(failedBuildText(of, { names: false, lines: false }, 140)).toBe(
    'Failed in 2 min: job 2 and 1 more job',
  )
})

test.each([40, 80, 140])('the text is never longer than %d characters', (longest) => {
  const of = {
    build,
    jobs: 9,
    failed: [failed({ name: 'x'.repeat(300) }, ['y'.repeat(500)], 'z'.repeat(400)), failed()],
  }
  expect(failedBuildText(of, all, longest)?.length).toBeLessThanOrEqual(longest)
})
