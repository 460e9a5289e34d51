import { beforeEach, expect, test } from 'vitest'
import { syncUser } from '../../../src/flow/people/sync-user.ts'
import { setRole } from '../../../src/store/people/permissions.ts'
import { testDatabase } from '../../support/database.ts'
import { syncedScene } from './synced-scene.ts'

const db = await testDatabase()
const scene = await syncedScene(db)
const { host } = scene

const rights = 30

/** A user for whom the app is queried, like a user whose token has ended. */
beforeEach(async () => {
  await scene.organization(rights)
  await scene.sync()
  await db.deleteFrom('codehost_tokens').execute()
  await db.deleteFrom('memberships').execute()
  scene.ctx.pass(2 * 3600)
  host.calls.length = 0
})

const questions = () => host.calls.filter(({ call }) => call.includes('/permission'))
/**
 * The first call may be refused, because the app and the code host of the test use different
 * clocks.
 */
const tokens = () =>
  host.calls.filter(({ call, status }) => call.endsWith('/access_tokens') && status === 201)

test('all rights in an installation are queried with one token, once each', async () => {
  await scene.sync()
  expect(new Set(questions().map(({ call }) => call)).size).toBe(rights)
  expect(questions()).toHaveLength(rights)
  expect(tokens()).toHaveLength(1)
  expect(await scene.kept()).toMatchObject({ rights })
})

test('a second sync without changes makes no request that counts', async () => {
  await scene.sync()
  host.calls.length = 0
  await scene.sync()
  expect(questions().map(({ status }) => status)).toEqual(Array.from({ length: rights }, () => 304))
})

test('a right changed here follows the code host again', async () => {
  await scene.sync()
  const [{ repository_id } = { repository_id: 0 }] = await db
    .selectFrom('permissions')
    .select('repository_id')
    .where('user_id', '=', scene.anna.id)
    .execute()
  await setRole(db, scene.anna.id, repository_id, { pull: true, push: false, admin: false })
  await scene.sync()
  const pushed = await db
    .selectFrom('permissions')
    .select('push')
    .where('user_id', '=', scene.anna.id)
    .where('push', '=', true)
    .execute()
  expect(pushed).toHaveLength(rights)
})

test('a right revoked at the code host is revoked here', async () => {
  await scene.sync()
  host.tables.repositories.at(-1)?.collaborators.clear()
  host.tables.repositories.at(-1)?.owner.members.clear()
  await scene.sync()
  expect(await scene.kept()).toMatchObject({ rights: rights - 1 })
})

test('half of the hourly requests are left to builds, and the next sync continues', async () => {
  host.limitRate(20)
  await scene.sync()
  expect(questions()).toHaveLength(10)
  scene.ctx.pass(3600)
  await scene.sync()
  scene.ctx.pass(3600)
  await scene.sync()
  expect(new Set(questions().map(({ call }) => call)).size).toBe(rights)
  expect(questions()).toHaveLength(rights)
})

test('a limit postpones the sync, which repeats no earlier query', async () => {
  const limited = new RegExp(`^GET /repositories/${host.tables.repositories.at(-10)?.id}/`)
  host.failNext({ kind: 'primary_limit', reset: 60 }, limited)
  await expect(scene.sync()).rejects.toMatchObject({ kind: 'limited', retryAfter: 60 })
  expect(questions()).toHaveLength(rights - 9)
  scene.ctx.pass(60)
  await syncUser(scene.ctx, scene.anna.id)
  expect(questions()).toHaveLength(rights + 1)
})
