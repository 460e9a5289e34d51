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
    String.raw`Failed in 2 min: "npm test": E assert\x07 5 == \u202e6`,
  )
  expect(failedBuildText(of, { names: true, lines: false }, 140)).toBe(
    'Failed in 2 min: "npm test"',
  )
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
