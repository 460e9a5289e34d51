import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Codehost } from '../../src/codehost/codehost.ts'
import type { User } from '../../src/domain/owner.ts'
import { followRepository } from '../../src/flow/events/follow-repository.ts'
import {
  giveUpUserSync,
  requestUserSync,
  syncDueUsers,
} from '../../src/flow/people/request-user-sync.ts'
import { syncUser } from '../../src/flow/people/sync-user.ts'
import { startSyncs } from '../../src/flow/repositories/start-syncs.ts'
import { storeGrant } from '../../src/flow/tokens/store-grant.ts'
import { transact } from '../../src/flow/transact.ts'
import { secondsAgo } from '../../src/store/sql/age.ts'
import { findCodehostToken } from '../../src/store/tokens/codehost-tokens.ts'
import { appCodehost } from '../codehost/app/app-codehost.ts'
import { startCodehost } from '../support/codehost/codehost.ts'
import type { Repository, Role } from '../support/codehost/tables.ts'
import { type TestContext, testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const host = await startCodehost()
afterAll(() => host.stop())

let ctx: TestContext
let anna: User
let count = 0

/** A new user at the code host for each test, who has logged in here. */
beforeEach(async () => {
  ctx = testContext(db, { codehost: appCodehost(host) })
  const login = `anna-${(count += 1)}`
  const account = host.addUser({ login, name: 'Anna', email: `${login}@example.org` })
  anna = await make.user(login)
  await db.updateTable('users').set({ codehost_id: account.id }).where('id', '=', anna.id).execute()
  await logIn()
  host.calls.length = 0
})

async function logIn(): Promise<void> {
  const token = host.userToken(anna.login)
  await storeGrant(ctx, anna.id, { token, issued_at: null, expires_at: null, refresh_token: null })
}

/** Syncs the user, from the request to the end. */
async function sync(): Promise<void> {
  await requestUserSync(ctx, anna, { user: anna, token_id: null, address: '127.0.0.1' })
  await syncUser(ctx, anna.id)
}

/** An organization with a repository for each role, named after the role. */
async function organization(
  member: 'admin' | 'member' | null = 'member',
  roles: readonly Role[] = ['write'],
): Promise<Repository[]> {
  const login = `org-${(count += 1)}`
  host.addOrganization({ login, members: member ? { [anna.login]: member } : {} })
  const made: Repository[] = []
  for (const role of roles) {
    const given = { owner: login, name: role, private: true }
    made.push(await host.addRepository({ ...given, collaborators: { [anna.login]: role } }))
  }
  return made
}

const rights = async () =>
  (
    await db
      .selectFrom('permissions')
      .innerJoin('repositories', 'repositories.id', 'repository_id')
      .select(['repositories.name', 'pull', 'push', 'admin'])
      .where('user_id', '=', anna.id)
      .orderBy('repositories.name')
      .execute()
  ).map(({ name, pull, push, admin }) => {
    return `${name}: ${[pull && 'pull', push && 'push', admin && 'admin'].filter(Boolean).join()}`
  })

const stored = () =>
  db
    .selectFrom('users')
    .select(['is_syncing', 'synced_at', 'name', 'email'])
    .where('id', '=', anna.id)
    .executeTakeFirstOrThrow()

/** The calls so far, except calls for other tokens. */
const calls = () => host.calls.filter(({ call }) => call.startsWith('GET /user'))

test('a user gets name, addresses, organizations, repositories and rights from the code host', async () => {
  const roles = ['admin', 'maintain', 'write', 'triage', 'read'] as const
  const [first] = await organization('member', roles)
  await sync()
  expect(await rights()).toEqual([
    'admin: pull,push,admin',
    'maintain: pull,push',
    'read: pull',
    'triage: pull',
    'write: pull,push',
  ])
  expect(await stored()).toEqual({
    is_syncing: false,
    synced_at: ctx.now(),
    name: 'Anna',
    email: `${anna.login}@example.org`,
  })
  expect(await db.selectFrom('user_emails').select(['email', 'verified']).execute()).toEqual([
    { email: `${anna.login}@example.org`, verified: true },
  ])
  const memberships = db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'organization_id')
    .select(['organizations.login', 'role'])
  expect(await memberships.execute()).toEqual([{ login: first?.owner.login, role: 'member' }])
  const managed = await db
    .selectFrom('repositories')
    .select(['managed_by_installation', 'active'])
    .distinct()
    .execute()
  expect(managed).toEqual([{ managed_by_installation: true, active: true }])
})

test('a public repository needs no right', async () => {
  const login = `org-${(count += 1)}`
  host.addOrganization({ login, members: { [anna.login]: 'member' } })
  await host.addRepository({ owner: login, name: 'open' })
  await sync()
  expect(await rights()).toEqual([])
})

test('a second sync without changes makes no request that counts', async () => {
  await organization()
  await sync()
  const first = calls()
  expect(first.map(({ status }) => status)).toEqual(first.map(() => 200))
  host.calls.length = 0
  await sync()
  expect(calls().map(({ call }) => call)).toEqual(first.map(({ call }) => call))
  expect(host.calls.map(({ status }) => status)).toEqual(first.map(() => 304))
  expect(await rights()).toEqual(['write: pull,push'])
})

test('a right deleted here is restored from an unchanged page', async () => {
  await organization()
  await sync()
  await db.deleteFrom('permissions').execute()
  await sync()
  expect(await rights()).toEqual(['write: pull,push'])
})

test('records deleted at the code host are deleted here, but repositories stay', async () => {
  const [kept, lost] = await organization('member', ['write', 'admin'])
  const [elsewhere] = await organization('member', ['maintain'])
  if (!kept || !lost || !elsewhere) throw new Error('there are no repositories')
  await sync()
  lost.collaborators.clear()
  lost.owner.members.clear()
  kept.collaborators.set(host.addUser({ login: 'x' }).id, 'read')
  elsewhere.collaborators.clear()
  elsewhere.owner.members.clear()
  await sync()
  expect(await rights()).toEqual(['write: pull,push'])
  expect(await db.selectFrom('memberships').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('repositories').select('id').execute()).toHaveLength(3)
})

describe('a failing page', () => {
  test.each([500, 403, 404])('deletes nothing (%i)', async (status) => {
    const [first] = await organization('member', ['write', 'admin'])
    await organization('member', ['maintain'])
    await sync()
    await db.updateTable('sync_pages').set({ etag: null }).execute()
    const installation = host.tables.installations.find(({ account }) => account === first?.owner)
    const stop = host.failWhile(
      { kind: 'status', status },
      new RegExp(`^GET /user/installations/${installation?.id}/repositories`),
    )
    await sync().catch(() => {})
    stop()
    expect(await rights()).toEqual([
      'admin: pull,push,admin',
      'maintain: pull,push',
      'write: pull,push',
    ])
    expect(await stored()).toMatchObject({ is_syncing: status === 500 })
  })

  test('of the organizations deletes no membership', async () => {
    await organization()
    await sync()
    await db.updateTable('sync_pages').set({ etag: null }).execute()
    const stop = host.failWhile({ kind: 'status', status: 403 }, /^GET \/user\/memberships/)
    await sync()
    stop()
    expect(await db.selectFrom('memberships').select('role').execute()).toHaveLength(1)
  })
})

/** The installation on the owner of a repository. */
function installationOn(repository: Repository | undefined) {
  const found = host.tables.installations.find(({ account }) => account === repository?.owner)
  if (!found) throw new Error('there is no installation')
  return found
}

describe('when the app is suspended', () => {
  test('the rights there stay, and all others follow the code host', async () => {
    const [first] = await organization('member', ['write'])
    const [second] = await organization('member', ['admin', 'maintain'])
    await sync()
    await host.suspend(installationOn(first))
    second?.collaborators.clear()
    second?.owner.members.clear()
    await sync()
    expect(await rights()).toEqual(['maintain: pull,push', 'write: pull,push'])
    expect(await stored()).toMatchObject({ is_syncing: false, synced_at: ctx.now() })
    await host.suspend(installationOn(first), false)
    await sync()
    expect(await rights()).toEqual(['maintain: pull,push', 'write: pull,push'])
  })

  test('the rights of a user without a token stay as well', async () => {
    const [first] = await organization('member', ['write'])
    const [second] = await organization('member', ['admin'])
    await sync()
    await db.deleteFrom('codehost_tokens').execute()
    await host.suspend(installationOn(first))
    second?.collaborators.clear()
    second?.owner.members.clear()
    const { synced_at } = await stored()
    ctx.pass(60)
    await sync()
    expect(await rights()).toEqual(['write: pull,push'])
    // No data of the user was read.
    expect(await stored()).toMatchObject({ is_syncing: false, synced_at })
    await host.suspend(installationOn(first), false)
  })
})

test('a renamed user keeps their rights, and the new holder of the name gets none of them', async () => {
  const [repository] = await organization('member', ['write'])
  await sync()
  await db.deleteFrom('codehost_tokens').execute()
  const before = anna.login
  const account = host.tables.accounts.find(({ login }) => login === before)
  if (!account || !repository) throw new Error('there is no account')
  account.login = `${before}-renamed`
  const holder = host.addUser({ login: before })
  repository.collaborators.set(holder.id, 'admin')
  await sync()
  expect(await rights()).toEqual(['write: pull,push'])
})

test('a user who could read a repository still can once it is private', async () => {
  const [first] = await organization('member', ['read'])
  if (!first) throw new Error('there is no repository')
  await host.setPrivate(first, false)
  await sync()
  expect(await rights()).toEqual([])
  await host.setPrivate(first, true)
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('codehost_id', '=', first.id)
    .executeTakeFirstOrThrow()
  const { provider, codehost_id, name, fork, description } = repository
  await followRepository(ctx, {
    ...{ type: 'repository', action: 'privatized', delivery_id: null },
    sender: { codehost_id: null, login: 'octavia' },
    installation_codehost_id: installationOn(first).id,
    repository: {
      ...{ provider, codehost_id, name, fork, description, language: null },
      ...{ default_branch: 'main', private: true, owner: null, archived: false },
    },
  })
  expect(ctx.enqueued).toContainEqual({ name: 'user.sync', payload: { user_id: anna.id } })
  await syncUser(ctx, anna.id)
  expect(await rights()).toEqual(['read: pull'])
})

test('a long sync is not lost, however long it takes', async () => {
  await organization()
  const actor = { user: anna, token_id: null, address: '127.0.0.1' }
  await requestUserSync(ctx, anna, actor)
  const stop = host.failWhile({ kind: 'status', status: 500 }, /^GET \/user\/installations\/\d+/)
  await expect(syncUser(ctx, anna.id)).rejects.toMatchObject({ kind: 'away' })
  stop()
  const started = { sync_started_at: secondsAgo(16 * 60) }
  await db.updateTable('users').set(started).execute()
  await expect(requestUserSync(ctx, anna, actor)).rejects.toThrow(/already running/)
  await db
    .updateTable('sync_pages')
    .set({ read_at: secondsAgo(15 * 60) })
    .execute()
  await requestUserSync(ctx, anna, actor)
  await syncUser(ctx, anna.id)
  expect(await rights()).toEqual(['write: pull,push'])
})

test('a sync requested while another one is given up begins', async () => {
  await requestUserSync(ctx, anna, { user: anna, token_id: null, address: '127.0.0.1' })
  await transact(ctx, (tx) => startSyncs(tx, [anna.id]))
  ctx.enqueued.length = 0
  await giveUpUserSync(ctx, anna.id)
  expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: anna.id } }])
  expect(await stored()).toMatchObject({ is_syncing: true })
  await giveUpUserSync(ctx, anna.id)
  expect(await stored()).toMatchObject({ is_syncing: false })
})

test('a limit of the code host postpones the sync, which continues where it was', async () => {
  await organization()
  await organization()
  host.failNext({ kind: 'primary_limit', reset: 60 }, /^GET \/user\/installations\/\d+/)
  await expect(sync()).rejects.toMatchObject({ kind: 'limited' })
  const before = calls().length
  await expect(syncUser(ctx, anna.id)).rejects.toMatchObject({ kind: 'limited' })
  // No call is made before the code host allows any.
  expect(calls()).toHaveLength(before)
  ctx = testContext(db, { codehost: appCodehost(host) })
  await syncUser(ctx, anna.id)
  expect(await rights()).toEqual(['write: pull,push', 'write: pull,push'])
})

test('a token that is refused is dropped, and nothing is deleted', async () => {
  await organization()
  await sync()
  host.tables.tokens = host.tables.tokens.filter(({ kind }) => kind !== 'user')
  await sync()
  expect(await findCodehostToken(db, anna.id)).toBeUndefined()
  expect(await rights()).toEqual(['write: pull,push'])
  expect(await stored()).toMatchObject({ is_syncing: false })
})

test("another user's token is refused", async () => {
  const token = host.userToken('someone-else')
  await organization()
  await storeGrant(ctx, anna.id, { token, issued_at: null, expires_at: null, refresh_token: null })
  await sync()
  expect(await findCodehostToken(db, anna.id)).toBeUndefined()
  expect(await rights()).toEqual([])
})

test('the installations of a user without a token are looked up', async () => {
  await db.deleteFrom('codehost_tokens').execute()
  const [repository] = await organization()
  const acme = await make.organization(repository?.owner.login)
  await make.membership(anna, acme)
  const installation = host.tables.installations.find(
    ({ account }) => account === repository?.owner,
  )
  await make.installation(
    { owner_id: acme.id, owner_type: 'Organization' },
    { codehost_id: installation?.id ?? 0 },
  )
  await sync()
  expect(await db.selectFrom('repositories').select('codehost_id').execute()).toEqual([
    { codehost_id: repository?.id },
  ])
  expect(calls()).toEqual([])
})

test('a sync requested while another one is running follows that one', async () => {
  await requestUserSync(ctx, anna, { user: anna, token_id: null, address: '127.0.0.1' })
  await transact(ctx, (tx) => startSyncs(tx, [anna.id]))
  ctx.enqueued.length = 0
  await syncUser(ctx, anna.id)
  expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: anna.id } }])
  expect(await stored()).toMatchObject({ is_syncing: true })
  await syncUser(ctx, anna.id)
  expect(await stored()).toMatchObject({ is_syncing: false })
})

test('all users are synced once a day', async () => {
  const due = async () => {
    ctx.enqueued.length = 0
    await syncDueUsers(ctx)
    return ctx.enqueued.map(({ payload }) => payload)
  }
  await sync()
  expect(await due()).toEqual([])
  await db
    .updateTable('users')
    .set({ sync_started_at: secondsAgo(24 * 3600) })
    .execute()
  expect(await due()).toEqual([{ user_id: anna.id }])
  expect(await due()).toEqual([])
})

describe('5,000 repositories in 60 organizations', () => {
  const organizations = 60
  const repositories = 5000

  beforeEach(async () => {
    const template = await host.addRepository({ owner: `template-${(count += 1)}` })
    const me = host.tables.accounts.find(({ login }) => login === anna.login)
    for (let number = 0; number < organizations; number += 1) {
      const login = `many-${count}-${number}`
      host.addOrganization({ login, members: { [anna.login]: number === 0 ? 'admin' : 'member' } })
      await host.install(login)
    }
    const owners = host.tables.accounts.filter(({ login }) => login.startsWith(`many-${count}-`))
    for (let number = 0; number < repositories; number += 1) {
      const owner = owners[number % organizations]
      if (!owner || !me) throw new Error('there is no owner')
      const name = `repository-${number}`
      const id = host.tables.nextId()
      const role = number % 2 ? ('write' as const) : ('read' as const)
      const collaborators = new Map([[me.id, role]])
      host.tables.repositories.push({
        ...template,
        ...{ id, name, owner, collaborators, private: true, former_slugs: [] },
      })
    }
    host.calls.length = 0
  })

  const kept = async () => {
    const count = (table: 'permissions' | 'memberships') =>
      db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('user_id', '=', anna.id)
        .executeTakeFirstOrThrow()
    return [Number((await count('permissions')).count), Number((await count('memberships')).count)]
  }

  test('are synced with at most 125 requests, and again with none that counts', async () => {
    await sync()
    expect(await kept()).toEqual([repositories, organizations])
    expect(host.calls.length).toBeLessThanOrEqual(125)
    const pushed = await db
      .selectFrom('permissions')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('push', '=', true)
      .executeTakeFirstOrThrow()
    // Every second repository, and all repositories of the organization that she administers.
    expect(Number(pushed.count)).toBe(2500 + Math.ceil(repositories / organizations))
    host.calls.length = 0
    await sync()
    expect(host.calls.length).toBeLessThanOrEqual(125)
    expect(new Set(host.calls.map(({ status }) => status))).toEqual(new Set([304]))
    expect(await kept()).toEqual([repositories, organizations])
  }, 180_000)

  test('are synced by the next worker when one is killed, without reading a page twice', async () => {
    const real = ctx.codehosts.codehost
    let left = 40
    const dying = async () => {
      left -= 1
      if (left < 0) throw new Error('the process is killed')
    }
    const { listings } = real ?? {}
    if (!real || !listings) throw new Error('there is no code host')
    const mortal: Codehost = {
      ...real,
      listings: {
        ...listings,
        repositories: async (...asked) => {
          await dying()
          return listings.repositories(...asked)
        },
      },
    }
    const dyingContext = testContext(db, { codehost: mortal })
    await requestUserSync(ctx, anna, { user: anna, token_id: null, address: '127.0.0.1' })
    await expect(syncUser(dyingContext, anna.id)).rejects.toThrow('killed')
    expect(await stored()).toMatchObject({ is_syncing: true })
    await syncUser(ctx, anna.id)
    expect(await kept()).toEqual([repositories, organizations])
    const asked = calls().map(({ call }) => call)
    expect(asked).toEqual([...new Set(asked)])
  }, 180_000)
})

describe('a user whose token at the code host has ended', () => {
  test('has only the rights that the app can see', async () => {
    const [repository] = await organization('member', ['write'])
    await sync()
    expect(await rights()).toEqual(['write: pull,push'])
    host.tables.tokens.length = 0
    await transact(ctx, (tx) => startSyncs(tx, [anna.id]))
    await syncUser(ctx, anna.id)
    expect(await findCodehostToken(db, anna.id)).toBeUndefined()
    expect(await rights()).toEqual(['write: pull,push'])
    repository?.collaborators.clear()
    repository?.owner.members.clear()
    await transact(ctx, (tx) => startSyncs(tx, [anna.id]))
    await syncUser(ctx, anna.id)
    expect(await rights()).toEqual([])
  })
})
