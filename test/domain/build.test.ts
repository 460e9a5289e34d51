import { describe, expect, test } from 'vitest'
import { areDone, buildState, durationOf, stageState } from '../../src/domain/build.ts'
import type { JobState } from '../../src/domain/job/job.ts'

type Written = JobState | `${JobState}?`

/** A question mark stands for a job that is allowed to fail. */
function job(written: Written, stage: number | null = null) {
  const state = written.replace('?', '') as JobState
  return { state, allow_failure: written.endsWith('?'), stage }
}

describe('a build without stages', () => {
  test.each([
    [['created', 'created'], 'created'],
    [['queued', 'received'], 'created'],
    [['started', 'created'], 'started'],
    [['passed', 'passed'], 'passed'],
    [['passed', 'failed'], 'failed'],
    [['failed', 'errored'], 'errored'],
    [['errored', 'canceled'], 'canceled'],
    [['passed', 'failed?'], 'passed'],
    [['passed', 'canceled?'], 'passed'],
    [['failed?', 'errored?'], 'passed'],
    [['failed', 'started?'], 'started'],
  ] as [Written[], JobState][])('with jobs that are %j is %s', (written, state) => {
    const jobs = written.map((each) => job(each))
    expect(buildState({ jobs, fast_finish: false, was: 'created' })).toBe(state)
  })

  test('stays started while its other jobs wait', () => {
    const jobs = [job('passed'), job('created')]
    expect(buildState({ jobs, fast_finish: false, was: 'started' })).toBe('started')
  })

  test('with a restarted job waits again, unless another job runs', () => {
    const restarted = { fast_finish: false, was: 'created' } as const
    expect(buildState({ ...restarted, jobs: [job('passed'), job('created')] })).toBe('created')
    expect(buildState({ ...restarted, jobs: [job('started'), job('created')] })).toBe('started')
  })
})

describe('a build with fast finish', () => {
  test.each([
    [['passed', 'started?'], true],
    [['failed', 'created?'], true],
    [['started', 'passed?'], false],
    [['passed?', 'started?'], false],
  ] as [Written[], boolean][])('with jobs that are %j is done: %s', (written, done) => {
    const jobs = written.map((each) => job(each))
    expect(areDone(jobs, true)).toBe(done)
  })
})

test('the first stage that did not pass decides the state of a build', () => {
  const jobs = [job('failed', 1), job('canceled', 2), job('canceled', 3)]
  expect(buildState({ jobs, fast_finish: false, was: 'started' })).toBe('failed')
})

test.each([
  [['created', 'queued'], 'created'],
  [['started', 'created'], 'started'],
  [['passed', 'failed?'], 'passed'],
  [['passed', 'errored'], 'errored'],
  [[], 'created'],
] as [Written[], string][])('a stage with jobs that are %j is %s', (written, state) => {
  const jobs = written.map((each) => job(each))
  expect(stageState(jobs, false, 'created')).toBe(state)
})

test('the duration is the total time of all jobs, in whole seconds', () => {
  const at = (seconds: number) => new Date(seconds * 1000)
  const jobs = [
    { started_at: at(0), finished_at: at(90.7) },
    { started_at: at(10), finished_at: at(20.6) },
    { started_at: null, finished_at: at(30) },
    { started_at: at(50), finished_at: at(40) },
  ]
  expect(durationOf(jobs)).toBe(101)
})
