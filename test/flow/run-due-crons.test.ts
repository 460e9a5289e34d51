import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { setCron } from '../../src/flow/repositories/crons.ts'
import { runDueCrons } from '../../src/flow/repositories/run-due-crons.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { findBranch, markBranchGone, putBranch } from '../../src/store/repositories/branches.ts'
import { runDueTasks } from '../../src/worker/schedule.ts'
import { age } from '../support/age.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { commitOf, memoryCodehost } from '../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)
const tip = 'a'.repeat(40)

let repository: Repository
let ctx: TestContext

beforeEach(async () => {
  const codehost = memoryCodehost()
  codehost.commits.set('refs/heads/main', commitOf(tip, 'Say hello [skip ci]'))
  codehost.commits.set(tip, commitOf(tip, 'Say hello [skip ci]'))
  codehost.files.set(tip, 'script: make\n')
  ctx = testContext(db, { codehost })
  repository = await make.repository()
})

async function cronOf(given: { dont_run_if_recent_build_exists?: boolean } = {}) {
  const user = await make.user()
  const actor = { user, token_id: null, address: '127.0.0.1' }
  await putBranch(db, repository.id, 'main')
  const branch = await findBranch(db, repository, 'main')
  if (!branch) throw new Error('there is no branch')
  const plan = { interval: 'daily', start_at: null, timezone: 'UTC' } as const
  await setCron(ctx, actor, branch, { ...plan, dont_run_if_recent_build_exists: false, ...given })
}

const crons = () => db.selectFrom('crons').selectAll().execute()
const requests = () => db.selectFrom('requests').selectAll().orderBy('id').execute()

test('a cron is not run before it is due', async () => {
  await cronOf()
  await age(db, 50)
  await runDueCrons(ctx)
  expect(await requests()).toEqual([])
})

describe('a cron that is due', () => {
  test('requests a build of the tip of its branch, without a sender', async () => {
    await cronOf()
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toMatchObject([
      { event_type: 'cron', ref: 'refs/heads/main', sender_id: null, sender_login: null },
    ])
    expect(ctx.enqueued).toContainEqual({ name: 'request.accept', payload: { request_id: 1 } })
    await acceptRequest(ctx, 1)
    const builds = await db.selectFrom('builds').selectAll().execute()
    expect(builds).toMatchObject([{ event_type: 'cron', state: 'created', sender_id: null }])
    const [branch] = await db.selectFrom('branches').selectAll().execute()
    expect(branch).toMatchObject({ last_build_id: builds[0]?.id })
  })

  test('is planned from its first run, however late that was', async () => {
    await cronOf()
    await age(db, 60 + 3 * 60 * 60)
    await runDueCrons(ctx)
    const [cron] = await crons()
    const day = 24 * 60 * 60
    expect((Number(cron?.next_run) - Number(cron?.planned_at)) / 1000).toBe(day)
    expect(cron?.last_run).not.toBeNull()
    await runDueCrons(ctx)
    expect(await requests()).toHaveLength(1)
    await age(db, day)
    await runDueCrons(ctx)
    expect(await requests()).toHaveLength(2)
  })

  test('requests no second build when it is saved again within the hour', async () => {
    await cronOf()
    await age(db, 61)
    await runDueCrons(ctx)
    await cronOf()
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toHaveLength(1)
    expect(await crons()).toMatchObject([{ active: true, last_run: null }])
    await cronOf()
    await age(db, 50 * 60)
    await runDueCrons(ctx)
    expect(await requests()).toHaveLength(2)
  })

  test('runs once, however many processes check', async () => {
    await cronOf()
    await age(db, 61)
    await Promise.all([1, 2, 3, 4].map(() => runDueCrons(testContext(db))))
    expect(await requests()).toHaveLength(1)
  })

  test('is skipped after a recent build, but planned again', async () => {
    await cronOf({ dont_run_if_recent_build_exists: true })
    const [branch] = await db.selectFrom('branches').selectAll().execute()
    const started_at = new Date()
    await make.build({ repository, branch_id: branch?.id ?? null, started_at, state: 'started' })
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toHaveLength(1)
    expect(await crons()).toMatchObject([{ active: true, last_run: null }])
    // A build of the cron itself does not count, nor does a build of the day before.
    await age(db, 24 * 60 * 60)
    await runDueCrons(ctx)
    expect(await requests()).toMatchObject([{}, { event_type: 'cron' }])
    await db.updateTable('builds').set({ event_type: 'cron', started_at: new Date() }).execute()
    await age(db, 23.9 * 60 * 60)
    await db
      .updateTable('crons')
      .set({ next_run: new Date(0) })
      .execute()
    await runDueCrons(ctx)
    expect(await requests()).toHaveLength(3)
  })

  test('runs after a recent build of a pull request into its branch', async () => {
    await cronOf({ dont_run_if_recent_build_exists: true })
    const [branch] = await db.selectFrom('branches').selectAll().execute()
    await make.build({
      repository,
      branch_id: branch?.id ?? null,
      event_type: 'pull_request',
      started_at: new Date(),
      state: 'started',
    })
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toMatchObject([{}, { event_type: 'cron' }])
  })

  test('runs after a recent build of another branch', async () => {
    await cronOf({ dont_run_if_recent_build_exists: true })
    const { id: branch_id } = await putBranch(db, repository.id, 'next')
    await make.build({ repository, branch_id, started_at: new Date(), state: 'started' })
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toMatchObject([{ event_type: 'push' }, { event_type: 'cron' }])
  })

  test.each([
    ['the repository is not active', { active: false }],
    ['the repository was deleted', { deleted_at: new Date() }],
  ])('is deactivated once %s', async (inactive_reason, change) => {
    await cronOf()
    await db.updateTable('repositories').set(change).execute()
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toEqual([])
    expect(await crons()).toMatchObject([{ active: false, inactive_reason }])
  })

  test('pauses while the repository is archived, and continues with its next run', async () => {
    await cronOf()
    await db.updateTable('repositories').set({ archived_at: new Date() }).execute()
    await age(db, 61)
    await runDueCrons(ctx)
    const day = 24 * 60 * 60
    await age(db, day)
    await runDueCrons(ctx)
    expect(await requests()).toEqual([])
    const [paused] = await crons()
    expect(paused).toMatchObject({ active: true, inactive_reason: null, last_run: null })
    expect((Number(paused?.next_run) - Number(paused?.planned_at)) / 1000).toBe(2 * day)

    await db.updateTable('repositories').set({ archived_at: null }).execute()
    await runDueCrons(ctx)
    // A skipped run is not made up for.
    expect(await requests()).toEqual([])
    await age(db, day)
    await runDueCrons(ctx)
    expect(await requests()).toMatchObject([{ event_type: 'cron', ref: 'refs/heads/main' }])
  })

  test('is deactivated once its branch is deleted', async () => {
    await cronOf()
    await markBranchGone(db, repository.id, 'main')
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toEqual([])
    expect(await crons()).toMatchObject([
      { active: false, inactive_reason: 'the branch no longer exists at the code host' },
    ])
  })

  test('that fails does not hold up other crons', async () => {
    await cronOf()
    const broken = { interval: 'daily', start_at: null, next_run: new Date(0) } as const
    const { id: branch_id } = await putBranch(db, repository.id, 'next')
    const timezone = 'No/Where'
    await db
      .insertInto('crons')
      .values({ ...broken, repository_id: repository.id, branch_id, timezone })
      .execute()
    await age(db, 61)
    await runDueCrons(ctx)
    expect(await requests()).toMatchObject([{ ref: 'refs/heads/main' }])
  })

  test('is run by the repeated tasks', async () => {
    await cronOf()
    await age(db, 61)
    await runDueTasks(ctx)
    expect(await requests()).toMatchObject([{ event_type: 'cron' }])
  })
})
