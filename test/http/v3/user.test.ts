import { beforeAll, describe, expect, test } from 'vitest'
import { noon } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { accountCalls, allowanceOf, makeAccounts, user } from './accounts.ts'
import { missing } from './build-scene.ts'
import type { Scene } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { call } = await accountCalls(db)

let scene: Scene
beforeAll(async () => {
  scene = await makeAccounts(db)
})

describe('GET /user', () => {
  test('returns the caller, with attributes that only they can see', async () => {
    const { id, token, codehost_id } = scene.people.pusher
    expect(await call('GET /user', { token })).toEqual({
      status: 200,
      body: {
        ...user,
        '@href': `/user/${id}`,
        '@permissions': { read: true, write: true, sync: true },
        id,
        login: 'pusher',
        name: 'Name of pusher',
        codehost_id,
        vcs_id: String(codehost_id),
        avatar_url: null,
        allowance: allowanceOf(id),
        email: 'pusher@example.org',
        recently_signed_up: true,
        last_activity_at: null,
        memberships: [
          {
            '@type': 'membership',
            '@representation': 'minimal',
            '@permissions': { read: true, write: false },
            organization_id: 1,
            build_permission: null,
          },
        ],
      },
    })
  })

  test('includes the caller’s email addresses, but no one else’s', async () => {
    const { id, token } = scene.people.pusher
    await db
      .insertInto('user_emails')
      .values([
        { user_id: id, email: 'pusher@example.org', verified: true },
        { user_id: id, email: 'another@example.org', verified: false },
      ])
      .execute()
    const include = 'include=user.emails,user.collaborator'
    expect(await call(`GET /user?${include}`, { token })).toMatchObject({
      body: { emails: ['pusher@example.org', 'another@example.org'], collaborator: false },
    })
    expect(await call(`GET /user/${id}?${include}`, scene.people.stranger)).toMatchObject({
      body: { email: null, emails: [], memberships: [] },
    })
  })

  test('needs a login', async () => {
    expect(await call('GET /user')).toMatchObject({
      status: 403,
      body: { error_type: 'login_required' },
    })
  })
})

describe('GET /user/{id}', () => {
  test('returns the same user as a lookup by login', async () => {
    expect(await call('GET /user/1')).toEqual({ status: 200, body: user })
  })

  test('returns the caller with all attributes', async () => {
    const { id, token, codehost_id } = scene.people.admin
    await db
      .updateTable('users')
      .set({
        avatar_url: 'https://a.example/admin',
        synced_at: noon,
        first_logged_in_at: new Date(noon.getTime() - 5000),
        last_activity_at: noon,
      })
      .where('id', '=', id)
      .execute()
    expect(await call(`GET /user/${id}`, { token })).toEqual({
      status: 200,
      body: {
        ...user,
        '@href': `/user/${id}`,
        '@permissions': { read: true, write: true, sync: true },
        id,
        login: 'admin',
        name: 'Name of admin',
        codehost_id,
        vcs_id: String(codehost_id),
        avatar_url: 'https://a.example/admin',
        allowance: allowanceOf(id),
        email: 'admin@example.org',
        synced_at: '2026-01-02T12:00:00Z',
        last_activity_at: '2026-01-02T12:00:00Z',
        memberships: [expect.objectContaining({ organization_id: 1 })],
      },
    })
  })

  test('shows null for unknown attributes of the user', async () => {
    const { id } = await make.owner('quiet', 'local')
    expect(await call(`GET /user/${id}`)).toEqual({
      status: 200,
      body: {
        ...user,
        '@href': `/user/${id}`,
        id,
        login: 'quiet',
        name: null,
        vcs_type: 'LocalUser',
        codehost_id: expect.any(Number),
        vcs_id: expect.any(String),
        avatar_url: null,
        allowance: allowanceOf(id),
      },
    })
  })

  test.each(['0', '999', '99999999999999999999'])('is not found by the id %s', async (id) => {
    expect(await call(`GET /user/${id}`)).toEqual(missing('user'))
  })

  test.each(['x', '-1', '1%00', '1.0'])('is an unknown path with %s', async (id) => {
    expect(await call(`GET /user/${id}`)).toEqual(missing(null))
  })
})
