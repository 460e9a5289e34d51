import { beforeEach, describe, expect, test } from 'vitest'
import type { Build } from '../../src/domain/build.ts'
import type { JobRun } from '../../src/domain/failure/job-run.ts'
import type { Job } from '../../src/domain/job/job.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { findOutside } from '../../src/flow/failures/find-outside.ts'
import { reportOfAttempt } from '../../src/flow/failures/run-report.ts'
import { removeLogs } from '../../src/store/jobs/logs.ts'
import { json } from '../../src/store/tables.ts'
import { deleteExpiredBuilds } from '../../src/store/upkeep/retention.ts'
import { noon } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { addRun, runInputs } from '../support/job-runs.ts'

const db = await testDatabase()
const make = factories(db)

let repository: Repository
beforeEach(async () => {
  repository = await make.repository()
})

const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

/** A job with a log and a run. */
async function ran(state: 'passed' | 'failed', given: Partial<JobRun> = {}) {
  const job = await make.job({ build: await make.build({ repository, state }), state })
  await make.log(job, 'hello\n')
  await addRun(db, job, given)
  return job
}

const versions = (compiler: string) => ({ ...runInputs, versions: { 'gcc --version': compiler } })

/** The differences between a run that ends now and earlier runs. */
const outsideOf = (run: JobRun) =>
  findOutside(db, { ...run, number: '9.1', default_branch: 'main' })

async function storedRun(id: number, attempt = 1): Promise<JobRun> {
  return db
    .selectFrom('job_runs')
    .selectAll()
    .where('job_id', '=', id)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow()
}

describe('a log that is removed', () => {
  test('removes the versions from its run, and from runs compared with it', async () => {
    const green = await ran('passed', { inputs: versions('gcc secret-1') })
    const red = await ran('failed', { inputs: versions('gcc 2'), ended_at: later(1) })
    const outside = await outsideOf(await storedRun(red.id))
    expect(outside?.changes).toMatchObject([{ before: 'gcc secret-1', after: 'gcc 2' }])
    await db
      .updateTable('job_runs')
      .set({ outside: outside && json(outside) })
      .where('job_id', '=', red.id)
      .execute()

    await removeLogs(db, [green.id], { removed_at: noon, text: 'removed' })
    const rows = await db.selectFrom('job_runs').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('secret-1')
    expect(await storedRun(red.id)).toMatchObject({ outside: null, inputs: versions('gcc 2') })
    // The version does not come back with a later run either.
    expect(JSON.stringify(await outsideOf(await storedRun(red.id)))).not.toContain('secret-1')
  })

  test('removes the versions from later runs for which it was the first failure', async () => {
    await ran('passed', { inputs: versions('gcc 1') })
    const first = await ran('failed', { inputs: versions('gcc secret-2'), ended_at: later(1) })
    const second = await ran('failed', { inputs: versions('gcc 3'), ended_at: later(2) })
    const outside = await outsideOf(await storedRun(second.id))
    expect(outside?.to.job_id).toBe(first.id)
    await db
      .updateTable('job_runs')
      .set({ outside: outside && json(outside) })
      .where('job_id', '=', second.id)
      .execute()
    await removeLogs(db, [first.id], { removed_at: noon, text: 'removed' })
    expect(await storedRun(second.id)).toMatchObject({ outside: null })
  })

  test('removes the versions in other runs even if its build is deleted', async () => {
    const green = await ran('passed', { inputs: versions('gcc secret-1') })
    const red = await ran('failed', { inputs: versions('gcc 2'), ended_at: later(1) })
    const outside = await outsideOf(await storedRun(red.id))
    await db
      .updateTable('job_runs')
      .set({ outside: outside && json(outside) })
      .where('job_id', '=', red.id)
      .execute()
    await db
      .updateTable('builds')
      .set({ finished_at: new Date(0) })
      .where('id', '=', green.build_id)
      .execute()
    const step = { build_days: 30, builds_kept: 1, most: 1 }
    await db
      .updateTable('requests')
      .set({ finished_at: new Date(0) })
      .execute()
    await db.transaction().execute((tx) => deleteExpiredBuilds(tx, repository.id, step))
    expect(await db.selectFrom('job_runs').select(['job_id', 'outside']).execute()).toEqual([
      { job_id: red.id, outside: null },
    ])
  })

  test('no longer counts as evidence, because its versions are unknown', async () => {
    const { id } = await ran('passed', { inputs: versions('gcc 1') })
    await removeLogs(db, [id], { removed_at: noon, text: 'removed' })
    expect(await storedRun(id)).toMatchObject({ by_itself: false, inputs: runInputs })
  })
})

describe('a passed attempt', () => {
  test('is compared with the last attempt that ended by itself', async () => {
    const job = await ran('passed', { attempt: 4 })
    await addRun(db, job, { attempt: 1, state: 'failed', inputs: versions('gcc 1') })
    // The second was canceled, so it has no run; the third was ended by the service.
    await addRun(db, job, { attempt: 3, state: 'failed', by_itself: false })
    const outside = await outsideOf({ ...(await storedRun(job.id, 4)), inputs: versions('gcc 2') })
    expect(outside).toMatchObject({
      ...{ result: 'passed', from: { attempt: 1 }, to: { attempt: 4 } },
      changes: [{ before: 'gcc 1', after: 'gcc 2' }],
    })
  })

  test('is not compared if the last attempt that ended by itself passed', async () => {
    const job = await ran('passed', { attempt: 3 })
    await addRun(db, job, { attempt: 1, state: 'failed' })
    await addRun(db, job, { attempt: 2, state: 'passed' })
    expect(await outsideOf(await storedRun(job.id, 3))).toBeNull()
  })
})

describe('an outage', () => {
  const onMachine = (runner: string) => ({
    ...runInputs,
    runner,
    versions: { Kernel: `Linux of ${runner}` },
  })

  /** Jobs that fail on the first machine, and are then restarted and pass on another one. */
  async function outage(keys: readonly string[], build: Build) {
    const jobs: Job[] = []
    for (const [at, job_key] of keys.entries()) {
      const job = await make.job({ build, state: 'passed', attempt: 2 })
      const of = { job_key, pull_request_id: build.pull_request_id }
      const failed = { ...of, attempt: 1, state: 'failed' as const, inputs: onMachine('one') }
      await addRun(db, job, { ...failed, cause: at === 0 ? null : 'c', ended_at: later(at) })
      await addRun(db, job, { ...of, inputs: onMachine('two'), ended_at: later(30) })
      jobs.push(job)
    }
    return jobs
  }

  const reportOf = (jobs: readonly Job[], attempt: number) =>
    reportOfAttempt({ db, now: () => later(60) }, jobs[0]?.id ?? 0, attempt)

  const keys = ['a', 'b', 'c', 'd']

  test('is reported for a machine whose failed jobs all pass on another machine', async () => {
    const jobs = await outage(keys, await make.build({ repository }))
    expect(await reportOf(jobs, 1)).toMatchObject({ outage: 4, flaky: null })
    expect(await reportOf(jobs, 2)).toMatchObject({ outage: null, flaky: null })
  })

  test('is not reported for a job that has not passed since', async () => {
    await outage(keys, await make.build({ repository }))
    const red = await ran('failed', { job_key: 'e', inputs: onMachine('one') })
    expect(await reportOf([red], 1)).toMatchObject({ outage: null })
  })

  test('is not reported if the jobs had other inputs on the other machine', async () => {
    const jobs = await outage(keys, await make.build({ repository }))
    await db
      .updateTable('job_runs')
      .set({ inputs: json({ ...onMachine('two'), variables: { TOKEN: 'mended' } }) })
      .where('attempt', '=', 2)
      .execute()
    expect(await reportOf(jobs, 1)).toMatchObject({ outage: null })
  })

  test('is not reported because of forks, other repositories or private builds', async () => {
    const jobs = await outage(['a', 'b'], await make.build({ repository }))
    await outage(keys, await make.pullBuild({ repository }, { from_fork: true }))
    await outage(keys, await make.build({ repository: await make.repository() }))
    await outage(keys, await make.build({ repository, private: true }))
    expect(await reportOf(jobs, 1)).toMatchObject({ outage: null })
    // With a third job of the repository itself, it is an outage.
    await outage(['c'], await make.build({ repository }))
    expect(await reportOf(jobs, 1)).toMatchObject({ outage: 3 })
  })
})
