import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { keepSecrets } from '../status-scene.ts'
import { callerOf, rowCounts } from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>

/**
 * Build 1 and its job 1 have finished, build 2 and its job 2 run, the log of job 3 was removed. Repository 1
 * has a custom key and no request left in this hour, repository 2 is not active.
 */
beforeEach(async () => {
  call = await callerOf(server, db)
  const make = factories(db)
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  for (const state of ['passed', 'started', 'passed'] as const) {
    const build = await make.build({ repository, state, started_at: noon })
    await make.job({ build, state, started_at: noon })
  }
  await db.updateTable('logs').set({ removed_at: noon }).where('id', '=', 3).execute()
  await keepSecrets(db, 1)
  for (let number = 1; number <= testContext(db).config.requestsPerHour; number++) {
    await make.request({ repository, event_type: 'api', created_at: new Date() })
  }
  await db.updateTable('repositories').set({ active: false }).where('id', '=', 2).execute()
  await db
    .updateTable('users')
    .set({ is_syncing: true, sync_started_at: sql`now()` })
    .execute()
})

const statuses = { repository_inactive: 406, request_limit_reached: 429 } as Readonly<
  Record<string, number>
>

test.each([
  ['POST /build/1/cancel', 'build_not_cancelable', { include: 'build.nothing' }],
  ['POST /build/2/restart', 'build_already_running', { include: 'build.nothing' }],
  ['POST /build/2/restart_failed', 'build_already_running', { include: 'build.nothing' }],
  ['POST /job/1/cancel', 'job_not_cancelable', { include: 'job.nothing' }],
  ['POST /job/2/restart', 'job_already_running', { include: 'job.nothing' }],
  ['DELETE /job/2/log', 'job_unfinished', { include: 'log.nothing' }],
  ['DELETE /job/3/log', 'log_already_removed', { include: 'log.nothing' }],
  ['POST /user/{pusher}/sync', 'already_syncing', { include: 'user.nothing' }],
  ['POST /repo/2/requests', 'repository_inactive', { merge_mode: 'sideways' }],
  ['POST /repo/2/requests', 'repository_inactive', { include: 'repository.nothing' }],
  ['POST /repo/1/requests', 'request_limit_reached', { merge_mode: 'sideways' }],
  ['POST /repo/1/key_pair', 'duplicate_resource', { description: 'no value' }],
  ['POST /repo/1/key_pair', 'duplicate_resource', { value: 'no key' }],
] as const)('%s reports %s before errors in %j', async (path, conflict, wrong) => {
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'pusher')
    .executeTakeFirstOrThrow()
  const before = await rowCounts(db)
  const query = new URLSearchParams(wrong).toString()
  const asked = `${path.replace('{pusher}', String(id))}?${query}`
  const [status, body] = await call('pusher', asked)
  expect([status, body]).toMatchObject([statuses[conflict] ?? 409, { error_type: conflict }])
  expect(await rowCounts(db)).toEqual(before)
})

test.each([
  ['POST /build/2/cancel', { include: 'build.nothing' }],
  ['POST /build/1/restart', { include: 'build.nothing' }],
  ['POST /job/2/cancel', { include: 'job.nothing' }],
  ['POST /job/1/restart', { include: 'job.nothing' }],
  ['DELETE /job/1/log', { include: 'log.nothing' }],
  ['POST /repo/1/env_vars', { name: 'A', include: 'env_var.nothing' }],
] as const)(
  '%s reports the errors of %j if the state of the record allows the call',
  async (path, wrong) => {
    const before = await rowCounts(db)
    const query = new URLSearchParams(wrong).toString()
    const [status, body] = await call('pusher', `${path}?${query}`)
    expect([status, body]).toMatchObject([400, { error_type: 'wrong_params' }])
    expect(await rowCounts(db)).toEqual(before)
  },
)

test('a build whose file cannot be used is refused before parameters are checked', async () => {
  await db.updateTable('builds').set({ config_error: 'parse' }).where('id', '=', 1).execute()
  const asked = 'POST /build/1/restart?include=build.nothing'
  expect(await call('pusher', asked)).toMatchObject([422, { error_type: 'unprocessable_entity' }])
})
