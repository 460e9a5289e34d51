import { describe, expect, test } from 'vitest'
import type { JobState } from '../../src/domain/job/job.ts'
import { type Limits, type Schedulable, schedule } from '../../src/domain/job/scheduling.ts'

let ids = 0

function job(state: JobState, rest: Partial<Schedulable> = {}): Schedulable {
  ids += 1
  return {
    id: ids,
    build_id: 1,
    repository_id: 1,
    provider: 'codehost',
    stage: null,
    stage_name: null,
    allow_failure: false,
    waits_for_approval: false,
    without_approval: false,
    retry_reason: null,
    os: null,
    arch: null,
    queue: 'builds.linux',
    unmet_seconds: null,
    state,
    ...rest,
  }
}

const linux = {
  os: 'linux',
  arch: 'amd64',
  isolation: 'sandbox',
  queues: null,
  without_approval: false,
}

const unlimited: Limits = {
  owner: -1,
  repositories: new Map(),
  runners: [linux],
  rules: { jobsWithoutIsolation: false, otherMachines: 'refuse' },
  unmetSeconds: 0,
}

function picked(jobs: Schedulable[], limits: Limits = unlimited) {
  const { picked: ids } = schedule(jobs, limits)
  return jobs.flatMap(({ id }, index) => (ids.includes(id) ? [index] : []))
}

test('all jobs run if there are no limits', () => {
  expect(picked([job('created'), job('started'), job('created')])).toEqual([0, 2])
})

test('required jobs are enqueued before jobs that can fail', () => {
  const jobs = [job('created', { allow_failure: true }), job('created')]
  expect(schedule(jobs, unlimited).picked).toEqual([jobs[1]?.id, jobs[0]?.id])
})

describe('limits', () => {
  test('of an owner count queued jobs as well', () => {
    const jobs = [job('queued'), job('started'), job('created'), job('created')]
    expect(picked(jobs, { ...unlimited, owner: 3 })).toEqual([2])
  })

  test('of repositories are counted separately', () => {
    const limits = { ...unlimited, repositories: new Map([[1, 1]]) }
    const other = { repository_id: 2 }
    const jobs = [job('started'), job('created'), job('created', other), job('created', other)]
    expect(picked(jobs, limits)).toEqual([2, 3])
  })

  test('let a lost job pause, with its reason, without holding up others', () => {
    const jobs = [job('created', { retry_reason: 'the disk is full' }), job('created')]
    const { picked: ids, waiting } = schedule(jobs, { ...unlimited, owner: 1 })
    expect(ids).toEqual([jobs[1]?.id])
    const failed = waiting[0]?.checks.filter(({ passed }) => !passed)
    expect(failed).toEqual([
      { rule: 'pause', passed: false, values: { says: 'the disk is full' }, source: null },
    ])
  })

  test('are listed as reasons for a waiting job', () => {
    const jobs = [job('started'), job('created')]
    const { waiting } = schedule(jobs, { ...unlimited, owner: 1 })
    const failed = waiting[0]?.checks.filter(({ passed }) => !passed)
    expect(failed).toEqual([
      { rule: 'owner_limit', passed: false, values: { running: 1, limit: 1 }, source: null },
    ])
  })
})

describe('stages', () => {
  test('start jobs only in the first stage with an unfinished job', () => {
    const jobs = [
      job('passed', { stage: 1 }),
      job('created', { stage: 2 }),
      job('created', { stage: 3 }),
    ]
    expect(picked(jobs)).toEqual([1])
  })

  test('wait for all jobs of earlier stages, even for those that can fail', () => {
    const jobs = [job('started', { stage: 1, allow_failure: true }), job('created', { stage: 2 })]
    expect(picked(jobs)).toEqual([])
  })

  test('of one build do not hold up another build', () => {
    const jobs = [job('started', { stage: 1 }), job('created', { build_id: 2, stage: 2 })]
    expect(picked(jobs)).toEqual([1])
  })
})

test('a job that waits for approval does not run, even if a slot is free', () => {
  expect(picked([job('created', { waits_for_approval: true })])).toEqual([])
})

test('without isolation only jobs of local repositories run, and the others report a remedy (D41)', () => {
  const jobs = [job('created'), job('created', { provider: 'local' })]
  const limits = { ...unlimited, runners: [{ ...linux, isolation: 'none' }] }
  expect(picked(jobs, limits)).toEqual([1])
  const [check] = schedule(jobs, limits).waiting[0]?.checks.filter(({ passed }) => !passed) ?? []
  expect(check).toMatchObject({
    rule: 'isolation',
    values: { says: expect.stringMatching(/install bubblewrap .* or set JOBS_WITHOUT_ISOLATION/) },
  })
})
