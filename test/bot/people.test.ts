import { beforeEach, describe, expect, test } from 'vitest'
import type { Repository } from '../../src/domain/repository.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { type Example, exampleOf, openDoor } from './door.ts'

const db = await testDatabase()
const make = factories(db)

const codehost = memoryCodehost()
const ctx = testContext(db, { codehost })
const deliver = await openDoor(db, ctx)

interface Account {
  id: number
  login: string
}

/** A user with this id and login, who has logged in here. */
async function knows({ id: codehost_id, login }: Account) {
  const user = await make.user(login)
  await db.updateTable('users').set({ codehost_id }).where('id', '=', user.id).execute()
  return user
}

const permissions = () =>
  db
    .selectFrom('permissions')
    .select(['user_id', 'repository_id', 'pull', 'push', 'admin'])
    .orderBy('repository_id')
    .execute()

const memberships = () => db.selectFrom('memberships').select(['user_id', 'role']).execute()

beforeEach(() => {
  codehost.roles.clear()
  ctx.enqueued.length = 0
})

describe('a member of a repository', () => {
  const payload = exampleOf('member', 'added') as Example & { member: Account }
  const { login } = payload.member
  let repository: Repository

  beforeEach(async () => {
    repository = await make.repository({ codehost_id: payload.repository?.id ?? 0, private: true })
  })

  test.each(['added', 'edited', 'removed'])(
    'that was %s gets the rights that the code host reports',
    async (action) => {
      const user = await knows(payload.member)
      codehost.roles.set(login, { pull: true, push: true, admin: false })
      expect(await deliver('member', { ...payload, action })).toMatchObject({ result: 'noted' })
      const own = { user_id: user.id, repository_id: repository.id }
      expect(await permissions()).toEqual([{ ...own, pull: true, push: true, admin: false }])
    },
  )

  test('that was removed, and has no other access, loses the right', async () => {
    const user = await knows(payload.member)
    await make.permission(user, repository, 'admin')
    await deliver('member', { ...payload, action: 'removed' })
    expect(await permissions()).toEqual([])
  })

  test('with only the access that everyone has needs no right', async () => {
    await db.updateTable('repositories').set({ private: false }).execute()
    const user = await knows(payload.member)
    await make.permission(user, repository, 'push')
    codehost.roles.set(login, { pull: true, push: false, admin: false })
    await deliver('member', { ...payload, action: 'edited' })
    expect(await permissions()).toEqual([])
  })

  test('that is already being synced is synced once more', async () => {
    const user = await knows(payload.member)
    await db.updateTable('users').set({ is_syncing: true }).where('id', '=', user.id).execute()
    await deliver('member', payload)
    expect(await db.selectFrom('wanted_syncs').select('user_id').execute()).toEqual([
      { user_id: user.id },
    ])
  })

  test('that is unknown here is not stored', async () => {
    expect(await deliver('member', payload)).toMatchObject({ result: 'ignored' })
    expect(codehost.calls).toEqual([])
  })
})

describe('an organization', () => {
  const payload = exampleOf('organization', 'member_added') as Example & {
    organization: Account
    membership: { user: Account; role: string }
  }
  const { organization, membership } = payload

  /** The organization as it is stored, with a repository. */
  async function owns(): Promise<Repository> {
    const { id } = await make.organization(organization.login)
    await db
      .updateTable('organizations')
      .set({ codehost_id: organization.id })
      .where('id', '=', id)
      .execute()
    const { login: owner_name } = organization
    return make.repository({ owner_id: id, owner_type: 'Organization', owner_name })
  }

  test('that gains a member syncs the member', async () => {
    const user = await knows(membership.user)
    await deliver('organization', payload)
    expect(await memberships()).toEqual([{ user_id: user.id, role: 'member' }])
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: user.id } }])
  })

  test("that loses a member revokes the member's rights on its repositories, and no others", async () => {
    const repository = await owns()
    const elsewhere = await make.repository({ name: 'elsewhere' })
    const user = await knows(membership.user)
    await make.permission(user, repository, 'admin')
    await make.permission(user, elsewhere, 'push')
    await deliver('organization', payload)
    ctx.enqueued.length = 0
    await deliver('organization', { ...payload, action: 'member_removed' })
    expect(await memberships()).toEqual([])
    expect(await permissions()).toMatchObject([{ repository_id: elsewhere.id }])
    // The sync of the first event has not ended.
    expect(ctx.enqueued).toEqual([])
    expect(await db.selectFrom('wanted_syncs').select('user_id').execute()).toEqual([
      { user_id: user.id },
    ])
  })

  test('that was renamed keeps its repositories', async () => {
    const repository = await owns()
    const renamed = { ...organization, login: 'Octorenamed' }
    const changes = { login: { from: organization.login } }
    const { id: codehost_id, login } = renamed
    const found = { codehost_id, login, name: null, email: null, avatar_url: null }
    codehost.users.set(login, found)
    await deliver('organization', { action: 'renamed', changes, organization: renamed })
    const stored = await db
      .selectFrom('repositories')
      .select(['id', 'owner_name'])
      .where('id', '=', repository.id)
      .execute()
    expect(stored).toEqual([{ id: repository.id, owner_name: 'Octorenamed' }])
  })

  test('that is deleted deactivates its repositories, and cancels waiting jobs', async () => {
    const repository = await owns()
    const build = await make.build({ repository })
    await make.job({ build })
    await deliver('organization', { action: 'deleted', organization })
    const states = await db
      .selectFrom('jobs')
      .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
      .select(['jobs.state', 'active'])
      .execute()
    expect(states).toEqual([{ state: 'canceled', active: false }])
  })

  test('that invites a user changes nothing', async () => {
    const invited = exampleOf('organization', 'member_invited')
    expect(await deliver('organization', invited)).toMatchObject({ result: 'ignored' })
  })
})

describe('a team', () => {
  const joined = exampleOf('membership', 'added') as Example & {
    member: Account
    organization: Account
  }

  test('that gains a member syncs that user only', async () => {
    const user = await knows(joined.member)
    await make.user('other')
    await deliver('membership', joined)
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: user.id } }])
  })

  test('that gets a repository syncs the members of its organization', async () => {
    const payload = exampleOf('team', 'added_to_repository') as Example & { organization: Account }
    const acme = await make.organization(payload.organization.login)
    await db
      .updateTable('organizations')
      .set({ codehost_id: payload.organization.id })
      .where('id', '=', acme.id)
      .execute()
    const members = [await make.user('anna'), await make.user('bert')]
    await make.user('stranger')
    for (const user of members) await make.membership(user, acme)
    await deliver('team', payload)
    expect(ctx.enqueued).toEqual(
      members.map(({ id }) => ({ name: 'user.sync', payload: { user_id: id } })),
    )
  })
})

test('a user who revokes the authorization of the app is synced, so that the token is dropped', async () => {
  const payload = exampleOf('github_app_authorization', 'revoked') as Example & { sender: Account }
  const user = await knows(payload.sender)
  expect(await deliver('github_app_authorization', payload)).toMatchObject({ result: 'noted' })
  expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: user.id } }])
})

describe('a repository that was transferred', () => {
  test('loses all rights, and syncs the users who had them', async () => {
    const payload = exampleOf('repository', 'transferred')
    const repository = await make.repository({ codehost_id: payload.repository?.id ?? 0 })
    const user = await make.user('anna')
    await make.permission(user, repository, 'admin')
    await deliver('repository', payload)
    expect(await permissions()).toEqual([])
    expect(ctx.enqueued).toContainEqual({ name: 'user.sync', payload: { user_id: user.id } })
  })
})
