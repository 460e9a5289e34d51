import { describe, expect, test } from 'vitest'
import type { Build } from '../../src/domain/build.ts'
import { canceledBecause } from '../../src/domain/job/cancellation.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { cancelJob } from '../../src/flow/jobs/cancel-job.ts'
import { claimJob, renewClaim } from '../../src/flow/jobs/claim-job.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { reclaimOwnJobs } from '../../src/flow/jobs/reclaim-jobs.ts'
import { resetJob } from '../../src/flow/jobs/reset-job.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { startJob } from '../../src/flow/jobs/start-job.ts'
import { findBuild } from '../../src/store/builds/builds.ts'
import { stagesOfBuild } from '../../src/store/builds/stages.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { noon, type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { partsOfLog } from '../support/stored-parts.ts'

const db = await testDatabase()
const make = factories(db)

const job = (id: number) => findJob(db, id)
const build = (id = 1) => findBuild(db, id)
/** How often a status was announced. */
const announced = async () =>
  (await db.selectFrom('outbox').select('id').where('kind', '=', 'status').execute()).length

/** Takes a job through to its start, as a runner does. */
async function begin(ctx: TestContext, { id }: Pick<Job, 'id'>) {
  const claimed = await claimJob(ctx, id, 'runner')
  if (!claimed) throw new Error('the job was not there to be taken')
  const run = { job_id: id, attempt: claimed.attempt }
  expect(await startJob(ctx, claimed)).toBe(true)
  return run
}

describe('scheduling', () => {
  const ownerOf = ({ owner_id, owner_type }: Job) => ({ owner_id, owner_type })

  test('enqueues each waiting job', async () => {
    const ctx = testContext(db)
    const first = await make.job()
    const second = await make.job({ build: (await build()) as Build })
    await scheduleJobs(ctx, ownerOf(first))
    expect(await job(second.id)).toMatchObject({ state: 'queued', queued_at: expect.any(Date) })
    expect(ctx.enqueued).toEqual([
      { name: 'job.run', payload: { job_id: first.id } },
      { name: 'job.run', payload: { job_id: second.id } },
    ])
  })

  test('enqueues all jobs that can fail after the other jobs, however many there are', async () => {
    const ctx = testContext(db)
    const build = await make.build()
    const ids: number[] = []
    for (let count = 0; count < 40; count++) {
      ids.push((await make.job({ build, allow_failure: count < 20 })).id)
    }
    const unlimited = { ...ctx, config: { ...ctx.config, ownerJobs: -1 } }
    await scheduleJobs(unlimited, ownerOf((await job(ids[0] ?? 0)) as Job))
    const enqueued = ctx.enqueued.map(({ payload }) => (payload as { job_id: number }).job_id)
    expect(enqueued).toEqual([...ids.slice(20), ...ids.slice(0, 20)])
  })

  test('the jobs of one owner several times at once enqueues each job once', async () => {
    const ctx = testContext(db)
    const owner = ownerOf(await make.job())
    await Promise.all([
      scheduleJobs(ctx, owner),
      scheduleJobs(ctx, owner),
      scheduleJobs(ctx, owner),
    ])
    expect(ctx.enqueued).toHaveLength(1)
  })

  test('stores the reason why a job waits', async () => {
    const ctx = testContext(db)
    const first = await make.job({ state: 'started' })
    const waiting = await make.job({ build: (await build()) as Build })
    await changeSettings(db, first.repository_id, { maximum_number_of_builds: 1 })
    await scheduleJobs(ctx, ownerOf(first))
    const checks = (await job(waiting.id))?.checks.filter(({ passed }) => !passed)
    expect(checks).toEqual([
      {
        rule: 'repository_limit',
        passed: false,
        values: { running: 1, maximum_number_of_builds: 1 },
        source: null,
      },
    ])
  })
})

describe('a run of a job', () => {
  test('begins with a claim, which only one of two runners gets', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const claims = await Promise.all([claimJob(ctx, id, 'a'), claimJob(ctx, id, 'b')])
    expect(claims.filter(Boolean)).toMatchObject([{ id, attempt: 1, state: 'received' }])
  })

  test('starts its job, build and repository, and announces it', async () => {
    const ctx = testContext(db)
    const { id, repository_id } = await make.job({ state: 'queued' })
    await begin(ctx, { id })
    expect(await job(id)).toMatchObject({ state: 'started', started_at: noon })
    expect(await build()).toMatchObject({ state: 'started', started_at: noon })
    expect(
      await db.selectFrom('repositories').selectAll().where('id', '=', repository_id).execute(),
    ).toMatchObject([{ last_build_id: 1, last_build_started_at: noon }])
    expect(await announced()).toBe(1)
  })

  test('finishes its build', async () => {
    const ctx = testContext(db)
    const run = await begin(ctx, await make.job({ state: 'queued' }))
    ctx.pass(90)
    await finishJob(ctx, run, 'failed')
    expect(await build()).toMatchObject({ state: 'failed', duration: 90, finished_at: ctx.now() })
    expect(await announced()).toBe(2)
    expect(await db.selectFrom('leases').selectAll().execute()).toEqual([])
  })

  test('does not end the build while another job is unfinished', async () => {
    const ctx = testContext(db)
    const first = await make.job({ state: 'queued' })
    await make.job({ build: (await build()) as Build, state: 'queued' })
    await finishJob(ctx, await begin(ctx, first), 'passed')
    expect(await build()).toMatchObject({ state: 'started', finished_at: null })
  })

  test('that ends together with the only other run ends the build', async () => {
    const ctx = testContext(db)
    const first = await make.job({ state: 'queued' })
    const second = await make.job({ build: (await build()) as Build, state: 'queued' })
    const runs = [await begin(ctx, first), await begin(ctx, second)]
    await Promise.all(runs.map((run) => finishJob(ctx, run, 'passed')))
    expect(await build()).toMatchObject({ state: 'passed' })
  })

  test('that ends before its start was recorded still finishes', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const claimed = await claimJob(ctx, id, 'runner')
    if (!claimed) throw new Error('the job was not there to be taken')
    const run = { job_id: id, attempt: claimed.attempt }
    await finishJob(ctx, run, 'errored')
    expect(await startJob(ctx, claimed)).toBe(false)
    expect(await job(id)).toMatchObject({ state: 'errored', started_at: null })
    expect(await build()).toMatchObject({ state: 'errored', duration: 0 })
  })

  test('of an older attempt is ignored', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const old = await begin(ctx, { id })
    await resetJob(ctx, old, { kind: 'gone', reason: 'gone', others: 0 })
    await db.updateTable('jobs').set({ state: 'queued' }).execute()
    const fresh = await begin(ctx, { id })

    const part = { number: 1, content: 'late', final: false }
    expect(await appendLog(ctx, old, [part])).toBe(false)
    expect(await finishJob(ctx, old, 'passed')).toBeUndefined()
    expect(await renewClaim(ctx, old)).toBe(false)
    expect(await renewClaim(ctx, fresh)).toBe(true)
    expect(await job(id)).toMatchObject({ state: 'started', attempt: 2 })
    expect(await partsOfLog(db, id)).toEqual([])
  })
})

describe('a canceled job', () => {
  test('ends immediately, and the later end of its run changes nothing', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const run = await begin(ctx, { id })
    await cancelJob(ctx, canceledBecause('it rains'), id)
    expect(await job(id)).toMatchObject({ state: 'canceled', canceled_at: noon })
    expect(await renewClaim(ctx, run)).toBe(false)
    expect(await finishJob(ctx, run, 'passed')).toBeUndefined()
    expect(await build()).toMatchObject({ state: 'canceled' })
    // The tail of what it printed is still worth keeping.
    const part = { number: 1, content: 'tail', final: true }
    expect(await appendLog(ctx, run, [part])).toBe(true)
  })

  test('that is allowed to fail leaves the build passed', async () => {
    const ctx = testContext(db)
    await make.job({ state: 'passed' })
    const { id } = await make.job({ build: (await build()) as Build, allow_failure: true })
    await cancelJob(ctx, canceledBecause('it rains'), id)
    expect(await build()).toMatchObject({ state: 'passed' })
  })
})

describe('stages', () => {
  async function twoStages() {
    const made = await make.build()
    const stages = [await make.stage(made, 1), await make.stage(made, 2)]
    const [first, second] = stages
    const jobs = [
      await make.job({ build: made, state: 'queued', stage_id: first?.id ?? null }),
      await make.job({ build: made, stage_id: second?.id ?? null }),
      await make.job({ build: made, stage_id: second?.id ?? null }),
    ] as const
    return jobs
  }

  test('run one after the other', async () => {
    const ctx = testContext(db)
    const [first, second] = await twoStages()
    await scheduleJobs(ctx, first)
    expect(await job(second.id)).toMatchObject({ state: 'created' })
    await finishJob(ctx, await begin(ctx, first), 'passed')
    await scheduleJobs(ctx, first)
    expect(await job(second.id)).toMatchObject({ state: 'queued' })
    expect(await stagesOfBuild(db, 1)).toMatchObject([{ state: 'passed' }, { state: 'created' }])
  })

  test('that fail cancel the later stages, whose jobs were never enqueued', async () => {
    const ctx = testContext(db)
    const [first, second, third] = await twoStages()
    await finishJob(ctx, await begin(ctx, first), 'failed')
    await scheduleJobs(ctx, first)
    for (const { id } of [second, third]) {
      expect(await job(id)).toMatchObject({ state: 'canceled', canceled_by_stage: true })
    }
    expect(await stagesOfBuild(db, 1)).toMatchObject([{ state: 'failed' }, { state: 'canceled' }])
    expect(await build()).toMatchObject({ state: 'failed' })
    expect(ctx.enqueued.filter(({ name }) => name === 'job.run')).toEqual([])
  })
})

describe('with fast finish', () => {
  test('a build ends with its required jobs, and its duration grows until the last job ends', async () => {
    const ctx = testContext(db)
    const made = await make.build({ fast_finish: true })
    const required = await make.job({ build: made, state: 'queued' })
    const optional = await make.job({ build: made, state: 'queued', allow_failure: true })
    const runs = [await begin(ctx, required), await begin(ctx, optional)] as const
    ctx.pass(10)
    await finishJob(ctx, runs[0], 'passed')
    expect(await build()).toMatchObject({ state: 'passed', duration: 10, finished_at: ctx.now() })
    const ended = ctx.now()
    ctx.pass(20)
    await finishJob(ctx, runs[1], 'failed')
    expect(await build()).toMatchObject({ state: 'passed', duration: 40, finished_at: ended })
    expect(await announced()).toBe(2)
  })
})

describe('a job that a runner has lost or released', () => {
  test('waits for its next attempt', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    await resetJob(ctx, await begin(ctx, { id }), { kind: 'gone', reason: 'gone', others: 0 })
    expect(await job(id)).toMatchObject({
      state: 'created',
      attempt: 2,
      resets: 1,
      queued_at: null,
      received_at: null,
      started_at: null,
    })
    expect(ctx.enqueued.at(-1)).toMatchObject({ name: 'jobs.schedule' })
  })

  test('is errored after the third attempt, with the reason in its log', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    for (let attempt = 1; attempt <= 3; attempt++) {
      await db.updateTable('jobs').set({ state: 'queued' }).execute()
      const loss = { kind: 'gone', reason: 'its runner was lost', others: 0 } as const
      await resetJob(ctx, await begin(ctx, { id }), loss)
    }
    expect(await job(id)).toMatchObject({ state: 'errored', attempt: 3 })
    const [part] = await partsOfLog(db, id)
    expect(part?.content).toContain('started 3 times and never finished: its runner was lost')
    expect(await build()).toMatchObject({ state: 'errored' })
  })

  test('by an orderly stop does not count as a failed attempt', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    for (let stops = 1; stops <= 5; stops++) {
      await db.updateTable('jobs').set({ state: 'queued' }).execute()
      await resetJob(ctx, await begin(ctx, { id }), { kind: 'stopped', reason: 'stopped' })
    }
    expect(await job(id)).toMatchObject({ state: 'created', resets: 0 })
  })

  test('stays finished if it has ended meanwhile', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const run = await begin(ctx, { id })
    await finishJob(ctx, run, 'passed')
    await resetJob(ctx, run, { kind: 'gone', reason: 'gone', others: 0 })
    expect(await job(id)).toMatchObject({ state: 'passed' })
  })

  test('is reset by its own runner after a restart', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    await begin(ctx, { id })
    await reclaimOwnJobs(ctx, 'another runner')
    expect(await job(id)).toMatchObject({ state: 'started' })
    await reclaimOwnJobs(ctx, 'runner')
    expect(await job(id)).toMatchObject({ state: 'created' })
  })
})

describe('log parts', () => {
  test('are stored once, and read in order, however they arrived', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const run = await begin(ctx, { id })
    const part = (number: number) => ({ number, content: `${number}\n`, final: false })
    await appendLog(ctx, run, [part(3), part(1)])
    await appendLog(ctx, run, [part(2), part(3)])
    expect((await partsOfLog(db, id)).map(({ number }) => number)).toEqual([1, 2, 3])
  })

  test('lose only the one character that cannot be stored', async () => {
    const ctx = testContext(db)
    const { id } = await make.job({ state: 'queued' })
    const run = await begin(ctx, { id })
    await appendLog(ctx, run, [{ number: 1, content: 'a\u0000b — ü 🎉', final: false }])
    expect((await partsOfLog(db, id))[0]?.content).toBe('ab — ü 🎉')
  })
})

test('an old build that is restarted does not become the last build', async () => {
  const ctx = testContext(db)
  const repository = await make.repository()
  const old = await make.job({ build: await make.build({ repository }), state: 'queued' })
  const fresh = await make.job({ build: await make.build({ repository }), state: 'queued' })
  await begin(ctx, old)
  await begin(ctx, fresh)
  const last = () => db.selectFrom('repositories').select('last_build_id').execute()
  expect(await last()).toEqual([{ last_build_id: fresh.build_id }])
  await db.updateTable('builds').set({ state: 'created', restarted_at: noon }).execute()
  await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', old.id).execute()
  await begin(ctx, old)
  expect(await last()).toEqual([{ last_build_id: fresh.build_id }])
})
