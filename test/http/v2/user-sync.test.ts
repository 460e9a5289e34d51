import { beforeEach, describe, expect, test } from 'vitest'
import type { Codehost } from '../../../src/codehost/codehost.ts'
import type { User } from '../../../src/domain/owner.ts'
import { giveUpUserSync } from '../../../src/flow/people/request-user-sync.ts'
import { syncUser } from '../../../src/flow/people/sync-user.ts'
import { createServer } from '../../../src/http/server.ts'
import { putUser } from '../../../src/store/people/users.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v2Client(await createServer(ctx))

let anna: User & { token: string }
beforeEach(async () => {
  anna = await make.user('anna')
  ctx.enqueued.length = 0
})

const stored = (user: User) =>
  db
    .selectFrom('users')
    .select(['is_syncing', 'synced_at'])
    .where('id', '=', user.id)
    .executeTakeFirstOrThrow()

const refused = { status: 409, body: { message: 'Sync already in progress. Try again later.' } }

describe('POST /users/sync', () => {
  test('starts a sync of the user', async () => {
    const before = await stored(anna)
    expect(before).toEqual({ is_syncing: false, synced_at: null })
    expect(await call('POST /users/sync', { token: anna.token })).toEqual({
      status: 200,
      body: { result: true },
    })
    expect(await stored(anna)).toEqual({ is_syncing: true, synced_at: null })
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: anna.id } }])
  })

  test('is refused while a sync is running, and then enqueues nothing', async () => {
    await call('POST /users/sync', { token: anna.token })
    expect(await call('POST /users/sync/', { token: anna.token })).toEqual(refused)
    expect(ctx.enqueued).toHaveLength(1)
    await syncUser(ctx, anna.id)
    expect(await stored(anna)).toEqual({ is_syncing: false, synced_at: null })
    expect(await call('POST /users/sync', { token: anna.token })).toMatchObject({ status: 200 })
  })

  test('is accepted once of several calls at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST /users/sync', { token: anna.token })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409,
    ])
    expect(ctx.enqueued).toHaveLength(1)
  })

  test('ends immediately for a local user', async () => {
    const local = await putUser(db, { provider: 'local', codehost_id: 1, login: 'local' })
    const token = await make.token(local)
    for (let count = 0; count < 2; count += 1) {
      expect(await call('POST /users/sync', { token })).toEqual({
        status: 200,
        body: { result: true },
      })
    }
    expect(await stored(local)).toEqual({ is_syncing: false, synced_at: noon })
    expect(ctx.enqueued).toEqual([])
  })

  test('needs a valid token', async () => {
    expect(await call('POST /users/sync')).toEqual({
      status: 401,
      body: 'no access token supplied',
    })
    expect(await call('POST /users/sync', { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
    expect(ctx.enqueued).toEqual([])
  })

  test('leaves an audit record', async () => {
    await call('POST /users/sync', { token: anna.token })
    await call('POST /users/sync', { token: anna.token })
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([
      { actor: 'anna', action: 'sync', subject_type: 'user', subject_id: anna.id },
    ])
  })
})

describe('a queue entry that is processed twice', () => {
  const lookedUp: number[] = []
  const host: Codehost = {
    ...memoryCodehost(),
    installations: {
      all: async () => [],
      repositories: async () => [],
      repository: async () => undefined,
      membership: async () => undefined,
      async find(installation) {
        lookedUp.push(installation)
        return undefined
      },
    },
  }
  const there = testContext(db, { codehost: host })

  beforeEach(async () => {
    lookedUp.length = 0
    await make.installation({ owner_id: anna.id, owner_type: 'User' }, { codehost_id: 7 })
    await call('POST /users/sync', { token: anna.token })
  })

  test('at the same time syncs the user once', async () => {
    await Promise.all([syncUser(there, anna.id), syncUser(there, anna.id)])
    expect(lookedUp).toEqual([7])
  })

  test('after the sync has ended does nothing', async () => {
    await syncUser(there, anna.id)
    await syncUser(there, anna.id)
    expect(lookedUp).toEqual([7])
    expect(await stored(anna)).toEqual({ is_syncing: false, synced_at: null })
  })
})

test('a sync whose last attempt fails can be requested again', async () => {
  await call('POST /users/sync', { token: anna.token })
  await giveUpUserSync(ctx, anna.id)
  expect(await stored(anna)).toEqual({ is_syncing: false, synced_at: null })
  expect(await call('POST /users/sync', { token: anna.token })).toMatchObject({ status: 200 })
})
