import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { OtherMachines } from '../../src/domain/job/machine.ts'
import { findPlace } from '../../src/flow/jobs/choose-runner.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { findBuild } from '../../src/store/builds/builds.ts'
import { stagesOfBuild } from '../../src/store/builds/stages.ts'
import { requestsAbout } from '../../src/store/commits/commit-statuses.ts'
import { findJobToRun } from '../../src/store/jobs/jobs-to-run.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { registerRunner } from '../../src/store/jobs/runners.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { partsOfLog } from '../support/stored-parts.ts'

const db = await testDatabase()
const make = factories(db)
const linux = { os: 'linux', arch: 'amd64' }
const isolated = { isolation: 'sandbox', queues: null, without_approval: false }
const sentence =
  '.service.yml asks for "os: osx", and the runners of this service have linux on amd64'

async function runner(id: string, machine: { os: string; arch: string }): Promise<void> {
  const facts = { version: '1', host: 'machine', executor: 'process', slots: 1 }
  await registerRunner(db, { id, isolation: 'sandbox', ...facts, ...machine })
}

/** A build with a job for Linux and a job for macOS, with a runner on Linux only. */
async function scene(otherMachines: OtherMachines, unmetMinutes = 0) {
  const base = testContext(db)
  const ctx = { ...base, config: { ...base.config, otherMachines, unmetMinutes } }
  await runner('here', linux)
  const build = await make.build()
  const here = await make.job({ build, os: 'linux' })
  const other = await make.job({ build, os: 'osx' })
  const owner = { owner_id: here.owner_id, owner_type: here.owner_type }
  const logOf = async (id: number) =>
    (await partsOfLog(db, id)).map(({ content }) => content).join('')
  return { ctx, build, here, other, owner, logOf }
}

test('a job for an unavailable system ends with an error that gives the reason', async () => {
  const { ctx, build, here, other, owner, logOf } = await scene('refuse')
  await scheduleJobs(ctx, owner)
  expect(await findJob(db, here.id)).toMatchObject({ state: 'queued', unmet: null })
  expect(await findJob(db, other.id)).toMatchObject({
    ...{ state: 'errored', unmet: 'os osx', found_machine: null, started_at: null },
    reason: expect.stringContaining(sentence),
  })
  expect(await logOf(other.id)).toContain(`${sentence}. Start a runner on such a machine`)
  expect(await findBuild(db, build.id)).toMatchObject({ state: 'created' })
})

test('a job for another system is claimed by a runner on that system', async () => {
  const { ctx, other, owner } = await scene('refuse')
  await runner('mac', { os: 'osx', arch: 'arm64' })
  await scheduleJobs(ctx, owner)
  const toRun = await findJobToRun(db, other.id)
  if (!toRun) throw new Error('the job is gone')
  expect(toRun.job.state).toBe('queued')
  expect(await findPlace(ctx, toRun, { ...linux, ...isolated })).toBe('elsewhere')
  expect(await findPlace(ctx, toRun, { os: 'osx', arch: 'arm64', ...isolated })).toBe('here')
})

test('a job for another system waits as long as the operator has set, with the reason', async () => {
  const { ctx, other, owner } = await scene('refuse', 10)
  await scheduleJobs(ctx, owner)
  const waiting = await findJob(db, other.id)
  expect(waiting).toMatchObject({ state: 'created', unmet_since: expect.any(Date) })
  expect(waiting?.checks.filter(({ passed }) => !passed)).toEqual([
    { rule: 'machine', passed: false, values: { says: sentence }, source: null },
  ])
  await sql`update jobs set unmet_since = now() - interval '9 minutes'`.execute(db)
  await scheduleJobs(ctx, owner)
  expect(await findJob(db, other.id)).toMatchObject({ state: 'created' })
  await sql`update jobs set unmet_since = now() - interval '10 minutes'`.execute(db)
  await scheduleJobs(ctx, owner)
  expect(await findJob(db, other.id)).toMatchObject({ state: 'errored' })
})

test('a skipped job does not count for its build, which reports the number of skipped jobs', async () => {
  const { ctx, build, here, other, owner, logOf } = await scene('skip')
  await sql`update jobs set state = 'passed', finished_at = now() where id = ${here.id}`.execute(db)
  await scheduleJobs(ctx, owner)
  expect(await findJob(db, other.id)).toMatchObject({ state: 'canceled', unmet: 'os osx' })
  expect(await findBuild(db, build.id)).toMatchObject({ state: 'passed' })
  expect(await logOf(other.id)).toContain(`${sentence}: the job is left out (OTHER_MACHINES=skip).`)
  const commit = await db.selectFrom('commits').selectAll().executeTakeFirstOrThrow()
  const [about] = await requestsAbout(db, commit)
  expect(about?.build).toMatchObject({ jobs: 2, unmet: [{ unmet: 'os osx', found_machine: null }] })
})

test('a build whose jobs are all skipped ends with an error', async () => {
  const { ctx, build, here, owner } = await scene('skip')
  await sql`update jobs set os = 'windows' where id = ${here.id}`.execute(db)
  await scheduleJobs(ctx, owner)
  expect(await findBuild(db, build.id)).toMatchObject({ state: 'errored' })
})

test('a stage whose jobs are all skipped does not hold up the next one', async () => {
  const { ctx, build, here, other, owner } = await scene('skip')
  for (const [number, { id }] of [other, here].entries()) {
    const stage = await make.stage(build, number + 1)
    await sql`update jobs set stage_id = ${stage.id} where id = ${id}`.execute(db)
  }
  await scheduleJobs(ctx, owner)
  await scheduleJobs(ctx, owner)
  expect(await findJob(db, here.id)).toMatchObject({ state: 'queued' })
  expect((await stagesOfBuild(db, build.id)).map(({ state }) => state)).toEqual([
    'canceled',
    'created',
  ])
})

test('a job for another system runs on the available runner if the operator allows it', async () => {
  const { ctx, other, owner } = await scene('run')
  await scheduleJobs(ctx, owner)
  const toRun = await findJobToRun(db, other.id)
  if (!toRun) throw new Error('the job is gone')
  expect(toRun.job.state).toBe('queued')
  expect(await findPlace(ctx, toRun, { ...linux, ...isolated })).toBe('here')
})

test('a runner that gets a job for an unavailable system returns it for a decision', async () => {
  const { ctx, other } = await scene('refuse')
  await sql`update jobs set state = 'queued' where id = ${other.id}`.execute(db)
  const toRun = await findJobToRun(db, other.id)
  if (!toRun) throw new Error('the job is gone')
  expect(await findPlace(ctx, toRun, { ...linux, ...isolated })).toBe('nowhere')
  expect(await findJob(db, other.id)).toMatchObject({ state: 'created' })
  expect(ctx.enqueued.map(({ name }) => name)).toEqual(['jobs.schedule'])
})
