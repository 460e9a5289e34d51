import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Actor } from '../../src/domain/audit.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { cancelBuild } from '../../src/flow/builds/cancel-build.ts'
import { cancelJob } from '../../src/flow/jobs/cancel-job.ts'
import { scheduleJobs } from '../../src/flow/jobs/schedule-jobs.ts'
import { changeSettings } from '../../src/store/repositories/settings.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)

const count = 300
const middle = 150

let owner: Pick<Job, 'owner_id' | 'owner_type'>
let actor: Actor

/** A build of two stages, whose first jobs have been rewritten, so that they come last on disk. */
beforeEach(async () => {
  const user = await make.user()
  actor = { user, token_id: null, address: '127.0.0.1' }
  const build = await make.build()
  const [first, second] = [await make.stage(build, 1), await make.stage(build, 2)]
  owner = await make.job({ build, stage_id: first.id })
  await sql`
    insert into jobs (repository_id, build_id, stage_id, commit_id, owner_id, owner_type, number, state,
      queue, private)
    select repository_id, build_id, case when n = ${count} then ${second.id}::bigint else stage_id end,
      commit_id, owner_id, owner_type, '2.' || n, 'created', queue, false
    from jobs, generate_series(2, ${count}) n
  `.execute(db)
  await sql`vacuum full jobs`.execute(db)
  await sql`update jobs set name = 'again' where id < ${middle}`.execute(db)
  await sql`analyze jobs`.execute(db)
})

/**
 * Runs the works one after the other while another transaction locks a job, so that each waits for
 * a lock.
 */
async function behind(id: number, works: readonly (() => Promise<unknown>)[]) {
  const begun = await db.connection().execute(async (holder) => {
    await sql`begin`.execute(holder)
    await sql`select from jobs where id = ${id} for update`.execute(holder)
    const begun: Promise<unknown>[] = []
    for (const work of works) {
      begun.push(work())
      await vi.waitFor(async () => expect(await waiting()).toBe(begun.length), 5000)
    }
    await sql`commit`.execute(holder)
    return begun
  })
  return Promise.all(begun)
}

async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}

const states = async () =>
  new Set((await db.selectFrom('jobs').select('state').execute()).map(({ state }) => state))

test('a build of many jobs can be canceled while the reasons why they wait are stored', async () => {
  await changeSettings(db, 1, { maximum_number_of_builds: 1 })
  await behind(middle, [() => scheduleJobs(ctx, owner), () => cancelBuild(ctx, actor, 1)])
  expect(await states()).toEqual(new Set(['canceled']))
})

test('a build of many jobs can be canceled while its jobs are enqueued', async () => {
  const free = { ...ctx, config: { ...ctx.config, ownerJobs: -1 } }
  await behind(middle, [() => scheduleJobs(free, owner), () => cancelBuild(ctx, actor, 1)])
  expect(await states()).toEqual(new Set(['canceled']))
})

test('canceling the last job of a build cancels the first ones while the reasons why they wait are stored', async () => {
  await behind(middle, [() => scheduleJobs(ctx, owner), () => cancelJob(ctx, actor, count)])
  expect(await states()).toEqual(new Set(['canceled']))
})
