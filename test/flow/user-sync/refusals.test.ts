import { beforeEach, describe, expect, test } from 'vitest'
import { syncUser } from '../../../src/flow/people/sync-user.ts'
import { userToken } from '../../../src/flow/tokens/user-token.ts'
import { noon } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { syncedScene } from './synced-scene.ts'

const db = await testDatabase()
const scene = await syncedScene(db)
const { host, make } = scene

const lists = {
  profile: /^GET \/user$/,
  emails: /^GET \/user\/emails/,
  memberships: /^GET \/user\/memberships/,
  installations: /^GET \/user\/installations\?/,
  repositories: /^GET \/user\/installations\/\d+\/repositories/,
}

const first = new Date(noon.getTime() + 120_000)

beforeEach(async () => {
  await scene.organization()
  await scene.sync()
  // Otherwise unchanged pages are not read.
  await db.updateTable('sync_pages').set({ etag: null }).execute()
  scene.ctx.pass(60)
  host.calls.length = 0
})

/** Syncs the user while such calls are refused; returns whether the sync is to be retried. */
async function syncRefused(list: keyof typeof lists, status: number): Promise<boolean> {
  const stop = host.failWhile({ kind: 'status', status }, lists[list])
  const isThrown = await scene.sync().then(
    () => false,
    () => true,
  )
  stop()
  return isThrown
}

const revoked = () =>
  db.selectFrom('tokens').select('revoked_at').where('user_id', '=', scene.anna.id).execute()

describe.each([403, 404, 451])('a profile that is refused with %i', (status) => {
  test('revokes nothing, and the sync is retried', async () => {
    await make.token(scene.anna)
    const known = await revoked()
    Object.assign(scene.ctx.config, { allowedOrganizations: ['codehost:elsewhere'] })
    expect(await syncRefused('profile', status)).toBe(true)
    expect(await scene.hasToken()).toBe(true)
    expect(await revoked()).toEqual(known)
    expect(known.every(({ revoked_at }) => revoked_at === null)).toBe(true)
    expect(await scene.kept()).toEqual({ rights: 1, memberships: 1, synced_at: first })
  })

  test('does not affect the next try', async () => {
    await syncRefused('profile', status)
    await syncUser(scene.ctx, scene.anna.id)
    expect(await scene.kept()).toMatchObject({ synced_at: scene.ctx.now() })
  })
})

test.each(Object.keys(lists) as (keyof typeof lists)[])(
  'a token rejected for %s is dropped, no other list is read with it, and rights stay',
  async (list) => {
    expect(await syncRefused(list, 401)).toBe(false)
    expect(await scene.hasToken()).toBe(false)
    const asHer = host.calls.filter(({ as }) => as === `user ${scene.anna.login}`)
    expect(asHer.at(-1)?.call).toMatch(lists[list])
    expect(await scene.kept()).toEqual({ rights: 1, memberships: 1, synced_at: first })
  },
)

test.each(['memberships', 'repositories'] as const)(
  'a user whose %s were refused is not marked as synced, and keeps token and rights',
  async (list) => {
    expect(await syncRefused(list, 403)).toBe(false)
    expect(await scene.hasToken()).toBe(true)
    expect(await scene.kept()).toEqual({ rights: 1, memberships: 1, synced_at: first })
  },
)

test('a user whose addresses were refused is marked as synced: an app of an earlier version cannot read them', async () => {
  expect(await syncRefused('emails', 403)).toBe(false)
  expect(await scene.kept()).toEqual({ rights: 1, memberships: 1, synced_at: scene.ctx.now() })
})

describe.each([401, 403])('a new token that is refused with %i', (status) => {
  beforeEach(() => scene.logIn())

  test('is retried, because parts of the code host might not know it yet', async () => {
    host.failNext({ kind: 'status', status }, lists.profile)
    await scene.sync()
    expect(await scene.hasToken()).toBe(true)
    expect(await scene.kept()).toMatchObject({ synced_at: scene.ctx.now() })
  })

  test('is retried later until it is a minute old', async () => {
    scene.ctx.pass(59)
    const stop = host.failWhile({ kind: 'status', status }, lists.profile)
    await expect(scene.sync()).rejects.toMatchObject({ kind: 'away' })
    expect(await scene.hasToken()).toBe(true)
    scene.ctx.pass(1)
    await syncUser(scene.ctx, scene.anna.id).catch(() => {})
    stop()
    expect(await scene.hasToken()).toBe(status === 403)
  })
})

test('a refreshed token that is refused is retried as well', async () => {
  const before = await userToken(scene.ctx, scene.anna.id)
  scene.ctx.pass(9 * 3600)
  host.failNext({ kind: 'status', status: 401 }, lists.profile)
  await scene.sync()
  const after = await userToken(scene.ctx, scene.anna.id)
  expect(after).toMatchObject({ issued_at: scene.ctx.now() })
  expect(after?.token).not.toBe(before?.token)
  expect(await scene.kept()).toMatchObject({ synced_at: scene.ctx.now() })
})
