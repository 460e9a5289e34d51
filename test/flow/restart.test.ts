import { beforeEach, describe, expect, test } from 'vitest'
import { CodehostError } from '../../src/codehost/codehost.ts'
import type { Actor } from '../../src/domain/audit.ts'
import type { FinalState, Job } from '../../src/domain/job/job.ts'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { restartBuild } from '../../src/flow/builds/restart-build.ts'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { cancelJob } from '../../src/flow/jobs/cancel-job.ts'
import { claimJob, renewClaim } from '../../src/flow/jobs/claim-job.ts'
import { finishJob } from '../../src/flow/jobs/finish-job.ts'
import { appendLog } from '../../src/flow/jobs/logs.ts'
import { restartJob } from '../../src/flow/jobs/restart-job.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { startJob } from '../../src/flow/jobs/start-job.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { giveUpRequest } from '../../src/flow/requests/give-up-request.ts'
import { stagesOfBuild } from '../../src/store/builds/stages.ts'
import { versionsOfJob } from '../../src/store/jobs/job-versions.ts'
import { noon, type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { pushTo, tip } from '../support/events.ts'
import { factories } from '../support/factories.ts'
import { commitOf, type MemoryCodehost, memoryCodehost } from '../support/memory-codehost.ts'
import { partsOfLog } from '../support/stored-parts.ts'

const db = await testDatabase()
const make = factories(db)

let by: Actor
let ctx: TestContext
let codehost: MemoryCodehost

beforeEach(async () => {
  by = { user: await make.user('someone'), token_id: 1, address: '127.0.0.1' }
  codehost = memoryCodehost()
  ctx = testContext(db, { codehost })
})

const job = (id: number) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const jobs = () => db.selectFrom('jobs').selectAll().orderBy('id').execute()
const states = async () => (await jobs()).map(({ state }) => state)
const build = () =>
  db.selectFrom('builds').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
const request = () =>
  db.selectFrom('requests').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
/** How often a status was announced. */
const announced = async () =>
  (await db.selectFrom('outbox').select('id').where('kind', '=', 'status').execute()).length
const logOf = async (id: number, attempt?: number) =>
  (await partsOfLog(db, id, attempt)).map(({ content }) => content).join('')

/** Runs a job to its end, as a runner does. */
async function run(id: number, state: FinalState, output = ''): Promise<void> {
  await db.updateTable('jobs').set({ state: 'queued' }).where('id', '=', id).execute()
  const claimed = (await claimJob(ctx, id, 'runner')) as Job
  const current = { job_id: id, attempt: claimed.attempt }
  await startJob(ctx, claimed)
  if (output !== '') await appendLog(ctx, current, [{ number: 1, content: output, final: true }])
  ctx.pass(10)
  await finishJob(ctx, current, state)
}

describe('a restarted job', () => {
  test('keeps its former run with the log, and begins with an empty log', async () => {
    await make.job()
    await run(1, 'failed', 'first\n')
    const before = await job(1)
    await restartJob(ctx, by, 1)
    expect(await job(1)).toMatchObject({
      state: 'created',
      attempt: 2,
      queued_at: null,
      received_at: null,
      started_at: null,
      finished_at: null,
      restarted_at: ctx.now(),
      restarted_by_id: by.user.id,
    })
    expect(await logOf(1)).toBe('')
    await run(1, 'failed', 'second\n')
    await restartJob(ctx, by, 1)
    await run(1, 'passed', 'third\n')

    expect(await versionsOfJob(db, 1)).toEqual([
      {
        job_id: 1,
        number: 1,
        state: 'failed',
        created_at: before.created_at,
        queued_at: before.queued_at,
        received_at: before.received_at,
        started_at: before.started_at,
        finished_at: before.finished_at,
        restarted_at: null,
        cancel_reason: null,
        lost_reason: null,
      },
      expect.objectContaining({ number: 2, state: 'failed', restarted_at: expect.any(Date) }),
    ])
    expect([await logOf(1), await logOf(1, 1), await logOf(1, 2)]).toEqual([
      'third\n',
      'first\n',
      'second\n',
    ])
  })

  test('is scheduled again', async () => {
    const { owner_id, owner_type } = await make.job()
    await run(1, 'failed')
    ctx.enqueued.length = 0
    await restartJob(ctx, by, 1)
    expect(ctx.enqueued).toContainEqual({
      name: 'jobs.schedule',
      payload: { owner_id, owner_type },
    })
    await scheduleJobs(ctx, { owner_id, owner_type })
    expect((await job(1)).state).toBe('queued')
  })

  test('ignores late results of its canceled run', async () => {
    await make.job({ state: 'queued' })
    const { attempt } = (await claimJob(ctx, 1, 'runner')) as Job
    await cancelJob(ctx, by, 1)
    await restartJob(ctx, by, 1)
    const late = { job_id: 1, attempt }
    expect(await finishJob(ctx, late, 'passed')).toBeUndefined()
    expect(await renewClaim(ctx, late)).toBe(false)
    expect(await appendLog(ctx, late, [{ number: 1, content: 'late', final: false }])).toBe(false)
    expect((await job(1)).state).toBe('created')
  })

  test('is restarted once if two users do it at the same time', async () => {
    await make.job()
    await run(1, 'failed')
    const both = await Promise.all([restartJob(ctx, by, 1), restartJob(ctx, by, 1)])
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await versionsOfJob(db, 1)).toHaveLength(1)
    expect(await db.selectFrom('audit_records').select('action').execute()).toEqual([
      { action: 'restart' },
    ])
  })
})

describe('the build of a restarted job', () => {
  test('waits again without times, and posts a pending status', async () => {
    await make.job()
    await run(1, 'failed')
    await restartJob(ctx, by, 1)
    expect(await build()).toMatchObject({
      state: 'created',
      started_at: null,
      finished_at: null,
      duration: null,
      restarted_at: ctx.now(),
      restarted_by_id: by.user.id,
    })
    await run(1, 'passed')
    expect(await build()).toMatchObject({ state: 'passed', duration: 10 })
    expect(await announced()).toBe(5)
  })

  test('stays started while another job runs', async () => {
    const { build_id } = await make.job()
    const started = { state: 'started' as const, started_at: noon }
    await make.job({ build: await build(), ...started })
    await db.updateTable('builds').set(started).where('id', '=', build_id).execute()
    await run(1, 'failed')
    await restartJob(ctx, by, 1)
    expect(await build()).toMatchObject({ state: 'started', started_at: noon })
  })

  test('that has finished fast changes only in its duration', async () => {
    const fast = await make.build({ fast_finish: true })
    await make.job({ build: fast })
    await make.job({ build: fast, allow_failure: true })
    await run(2, 'failed')
    await run(1, 'passed')
    await restartJob(ctx, by, 2)
    expect(await build()).toMatchObject({ state: 'passed', finished_at: ctx.now() })
    await run(2, 'passed')
    expect(await build()).toMatchObject({ state: 'passed', duration: 20 })
  })

  test('becomes the last build of its repository if it never started before', async () => {
    await make.job()
    await cancelJob(ctx, by, 1)
    await restartJob(ctx, by, 1)
    await run(1, 'passed')
    expect(await db.selectFrom('repositories').select('last_build_id').execute()).toEqual([
      { last_build_id: 1 },
    ])
  })
})

describe('the stages after a job that failed', () => {
  // Jobs 1 and 2 are of the first stage, 3 and 4 of the second.
  beforeEach(async () => {
    const staged = await make.build()
    for (const number of [1, 2]) {
      const stage = await make.stage(staged, number)
      await make.job({ build: staged, stage_id: stage.id })
      await make.job({ build: staged, stage_id: stage.id })
    }
  })

  const stageStates = async () => (await stagesOfBuild(db, 1)).map(({ state }) => state)

  test('wait again when that job is restarted', async () => {
    await run(1, 'passed')
    await run(2, 'failed')
    expect(await states()).toEqual(['passed', 'failed', 'canceled', 'canceled'])
    await restartJob(ctx, by, 2)
    expect(await states()).toEqual(['passed', 'created', 'created', 'created'])
    expect(await stageStates()).toEqual(['created', 'created'])
    expect((await build()).state).toBe('created')

    await run(2, 'passed')
    await run(3, 'passed')
    await run(4, 'passed')
    expect(await stageStates()).toEqual(['passed', 'passed'])
    expect((await build()).state).toBe('passed')
  })

  test('stay canceled if a user canceled them', async () => {
    await cancelJob(ctx, by, 4)
    await run(1, 'passed')
    await run(2, 'failed')
    await restartJob(ctx, by, 2)
    expect(await states()).toEqual(['passed', 'created', 'created', 'canceled'])
  })

  test('keep their results when a job of an earlier stage is restarted', async () => {
    for (const id of [1, 2, 3, 4]) await run(id, 'passed')
    await restartJob(ctx, by, 1)
    expect(await states()).toEqual(['created', 'passed', 'passed', 'passed'])
    expect(await stageStates()).toEqual(['created', 'passed'])
    await run(1, 'passed')
    expect((await build()).state).toBe('passed')
  })

  test('are restarted with the whole build', async () => {
    await run(1, 'passed')
    await run(2, 'failed')
    await restartBuild(ctx, by, 1)
    expect(await states()).toEqual(['created', 'created', 'created', 'created'])
    expect(await stageStates()).toEqual(['created', 'created'])
    expect((await jobs()).map((each) => each.canceled_by_stage)).toEqual(Array(4).fill(false))
  })

  test('are canceled with the whole build, and stay so when one job is restarted', async () => {
    await run(1, 'passed')
    await cancelBuild(ctx, by, 1)
    expect(await states()).toEqual(['passed', 'canceled', 'canceled', 'canceled'])
    expect(await build()).toMatchObject({ state: 'canceled', canceled_at: ctx.now() })
    await restartJob(ctx, by, 2)
    expect(await states()).toEqual(['passed', 'created', 'canceled', 'canceled'])
  })
})

describe('a build whose file could not be fetched', () => {
  beforeEach(async () => {
    const repository = await make.repository()
    codehost.commits.set(tip, commitOf(tip, 'Say hello'))
    const received = await receiveEvent(ctx, pushTo(repository))
    if (!('request' in received)) throw new Error('the push led to no request')
    codehost.failure = new CodehostError('it answered 403', { kind: 'refused' })
    await acceptRequest(ctx, received.request.id)
    codehost.failure = undefined
    ctx.enqueued.length = 0
  })

  test.each([
    ['as a build', () => restartBuild(ctx, by, 1)],
    ['by restarting its job', () => restartJob(ctx, by, 1)],
  ])('that is restarted %s is decided again', async (_how, restart) => {
    await restart()
    expect(await build()).toMatchObject({ state: 'created', finished_at: null, duration: null })
    expect(await request()).toMatchObject({ state: 'created', result: null, finished_at: null })
    expect(ctx.enqueued).toContainEqual({ name: 'request.accept', payload: { request_id: 1 } })

    codehost.files.set(tip, 'stages: [one]\nenv:\n  - A=1\n  - A=2\nscript: make')
    await acceptRequest(ctx, 1)
    expect(await build()).toMatchObject({
      id: 1,
      number: 1,
      state: 'created',
      config_error: null,
      config: expect.objectContaining({ script: ['make'] }),
      restarted_by_id: by.user.id,
    })
    expect(await jobs()).toMatchObject([
      { id: 1, number: '1.1', state: 'created', attempt: 2, origin: { kind: 'matrix' } },
      { id: 2, number: '1.2', state: 'created', attempt: 1 },
    ])
    expect(await request()).toMatchObject({ state: 'finished', result: 'accepted' })
    expect(await logOf(1)).toBe('')
    expect(await logOf(1, 1)).toContain('it answered 403')
    expect(await announced()).toBe(3)
    expect(await db.selectFrom('builds').select('id').execute()).toHaveLength(1)
  })

  test('ends the same way while the file still cannot be fetched', async () => {
    await restartBuild(ctx, by, 1)
    codehost.failure = new CodehostError('it answered 404', { kind: 'refused' })
    await acceptRequest(ctx, 1)
    expect(await build()).toMatchObject({ state: 'errored', config_error: 'fetch', duration: 0 })
    expect(await logOf(1)).toContain('it answered 404')
    expect(await logOf(1, 1)).toContain('it answered 403')
    expect(await announced()).toBe(3)
  })

  test('waits, without running its job, until the file is fetched', async () => {
    await restartBuild(ctx, by, 1)
    expect(await jobs()).toMatchObject([{ state: 'created', attempt: 2, finished_at: null }])
    expect(await logOf(1)).toBe('')
    const { owner_id, owner_type } = await db
      .selectFrom('jobs')
      .selectAll()
      .executeTakeFirstOrThrow()
    await scheduleJobs(ctx, { owner_id, owner_type })
    expect(await states()).toEqual(['created'])
  })

  test('can be canceled while it waits, and restarted afterwards', async () => {
    await restartBuild(ctx, by, 1)
    expect(await cancelBuild(ctx, by, 1)).toMatchObject([{ id: 1, state: 'canceled' }])
    expect(await build()).toMatchObject({ state: 'canceled' })
    expect(await restartBuild(ctx, by, 1)).toMatchObject({ id: 1 })
    expect(await build()).toMatchObject({ state: 'created', canceled_at: null })

    await cancelBuild(ctx, by, 1)
    codehost.files.set(tip, 'script: make')
    await acceptRequest(ctx, 1)
    expect(await request()).toMatchObject({ state: 'finished', result: 'accepted' })
    expect(await build()).toMatchObject({ state: 'canceled' })
    expect(await states()).toEqual(['canceled'])
  })

  test('cannot be restarted again while it waits', async () => {
    await restartBuild(ctx, by, 1)
    expect(await restartBuild(ctx, by, 1)).toBeUndefined()
    expect(await restartJob(ctx, by, 1)).toBeUndefined()
  })

  test('ends when its request is now rejected', async () => {
    await restartBuild(ctx, by, 1)
    codehost.files.set(tip, 'branches:\n  only: [stable]\nscript: make')
    await acceptRequest(ctx, 1)
    expect(await request()).toMatchObject({ result: 'rejected', reason: 'branch_excluded' })
    expect(await build()).toMatchObject({ state: 'errored', finished_at: ctx.now() })
    expect(await states()).toEqual(['errored'])
    expect(await logOf(1)).toContain('its request was rejected: ')
    expect(await logOf(1, 1)).toContain('it answered 403')
  })

  test('ends when its request is given up', async () => {
    await restartBuild(ctx, by, 1)
    await giveUpRequest(ctx, 1)
    expect(await build()).toMatchObject({ state: 'errored', finished_at: ctx.now() })
  })
})
