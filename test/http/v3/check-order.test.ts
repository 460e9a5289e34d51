import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { noon, testContext, testSealer } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { callerOf, rowCounts } from './roles.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>

/** Build 1 and its job 1 have finished, build 2 and its job 2 run; repository 2 is not active. */
beforeEach(async () => {
  call = await callerOf(server, db)
  const make = factories(db)
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  for (const state of ['passed', 'started'] as const) {
    const build = await make.build({ repository, state, started_at: noon })
    await make.job({ build, state, started_at: noon })
  }
  await db.updateTable('repositories').set({ active: false }).where('id', '=', 2).execute()
  const id = '00000000-0000-4000-8000-000000000001'
  const sealed_value = testSealer.sealText({ type: 'env_var', id }, 'a')
  await db
    .insertInto('env_vars')
    .values({ id, repository_id: 1, name: 'A', sealed_value })
    .execute()
  await db
    .updateTable('users')
    .set({ is_syncing: true, sync_started_at: sql`now()` })
    .execute()
})

test.each([
  ['POST /build/1/cancel', 'build_not_cancelable', { include: 'build.nothing' }],
  ['POST /build/2/restart', 'build_already_running', { include: 'build.nothing' }],
  ['POST /job/1/cancel', 'job_not_cancelable', { include: 'job.nothing' }],
  ['POST /job/2/restart', 'job_already_running', { include: 'job.nothing' }],
  ['DELETE /job/2/log', 'job_unfinished', { include: 'log.nothing' }],
  ['POST /user/{pusher}/sync', 'already_syncing', { include: 'user.nothing' }],
  ['POST /repo/2/requests', 'repository_inactive', { merge_mode: 'sideways' }],
  ['POST /repo/2/requests', 'repository_inactive', { include: 'repository.nothing' }],
  ['POST /repo/1/env_vars?name=A', 'duplicate_resource', { include: 'env_var.nothing' }],
] as const)(
  '%s says what is wrong with its parameters before %s',
  async (path, conflict, wrong) => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('login', '=', 'pusher')
      .executeTakeFirstOrThrow()
    const asked = path.replace('{pusher}', String(id))
    const before = await rowCounts(db)
    const query = new URLSearchParams(wrong).toString()
    const [status, body] = await call(
      'pusher',
      `${asked}${asked.includes('?') ? '&' : '?'}${query}`,
    )
    expect([status, body]).toMatchObject([400, { error_type: 'wrong_params' }])
    expect(await call('pusher', asked)).toMatchObject([
      conflict === 'repository_inactive' ? 406 : 409,
      { error_type: conflict },
    ])
    expect(await rowCounts(db)).toEqual(before)
  },
)
