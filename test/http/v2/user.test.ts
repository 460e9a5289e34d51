import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

/** Alice, user 1. */
async function alice() {
  const user = await make.user('alice')
  await db
    .updateTable('users')
    .set({ created_at: noon, email: 'alice@example.org' })
    .where('id', '=', user.id)
    .execute()
  return user
}

const shown = {
  id: 1,
  login: 'alice',
  name: 'Name of alice',
  email: 'alice@example.org',
  avatar_id: 'fbf7c6aec1d4280b7c2704c1c0478bd6',
  avatar_url: null,
  locale: null,
  is_syncing: false,
  synced_at: null,
  correct_scopes: true,
  created_at: '2026-01-02T12:00:00Z',
  first_logged_in_at: '2026-01-02T12:00:00Z',
  channels: ['private-user-1'],
  allow_migration: false,
  vcs_type: null,
}

describe('GET /users', () => {
  test.each(['/users', '/users/', '/users/1', '/users/1/', '/users/01'])(
    'returns the caller: %s',
    async (path) => {
      const { token } = await alice()
      expect(await call(`GET ${path}`, { token })).toEqual({ status: 200, body: { user: shown } })
    },
  )

  test('shows null for unknown values, and reports that a sync is running', async () => {
    const { token } = await alice()
    await db
      .updateTable('users')
      .set({ name: null, email: null, first_logged_in_at: null, is_syncing: true, synced_at: noon })
      .execute()
    expect(await call('GET /users', { token })).toEqual({
      status: 200,
      body: {
        user: {
          ...shown,
          name: null,
          email: null,
          avatar_id: '',
          first_logged_in_at: null,
          is_syncing: true,
          synced_at: '2026-01-02T12:00:00Z',
        },
      },
    })
  })

  test.each(['2', '9', '0', '-1', 'x', '1x', '%00', '9223372036854775808', 'alice'])(
    'finds no user but the caller: %s',
    async (id) => {
      const { token } = await alice()
      await make.user('bob')
      expect(await call(`GET /users/${id}`, { token })).toEqual({
        status: 404,
        body: { file: 'not found' },
      })
    },
  )

  test.each(['/users', '/users/1', '/users/9', '/users/permissions'])(
    'needs a login: %s',
    async (path) => {
      await alice()
      for (const accept of ['application/vnd.service.2+json', 'application/json']) {
        expect(await call(`GET ${path}`, { headers: { accept } })).toEqual({
          status: 401,
          body: 'no access token supplied',
        })
      }
      expect(await call(`GET ${path}`, { token: 'wrong' })).toEqual({
        status: 403,
        body: 'access denied',
      })
    },
  )
})

describe('GET /users/permissions', () => {
  /** Alice, with the roles pull, push and admin on repositories 1, 2 and 3. */
  async function permitted() {
    const user = await alice()
    for (const role of ['pull', 'push', 'admin'] as const) {
      await make.permission(user, await make.repository({ name: role }), role)
    }
    await make.permission(await make.user('bob'), await make.repository({ name: 'other' }))
    return user
  }

  const all = { permissions: [1, 2, 3], admin: [3], pull: [1, 2, 3], push: [2, 3] }
  const none = { permissions: [], admin: [], pull: [], push: [] }

  test.each([
    ['', all],
    ['?roles=', all],
    ['?roles=pull', all],
    ['?roles=push', { permissions: [2, 3], admin: [3], pull: [2, 3], push: [2, 3] }],
    ['?roles=admin,push', { permissions: [2, 3], admin: [3], pull: [2, 3], push: [2, 3] }],
    ['?roles[]=admin', { permissions: [3], admin: [3], pull: [3], push: [3] }],
    ['?roles=owner', none],
    ['?roles=%00', none],
  ])('with "%s" lists the ids of repositories', async (query, body) => {
    const { token } = await permitted()
    expect(await call(`GET /users/permissions${query}`, { token })).toEqual({ status: 200, body })
  })

  test('lists nothing for a token without the scope `private`, and for a user without a role', async () => {
    const user = await permitted()
    for (const token of [await make.token(user, ['public']), (await make.user()).token]) {
      expect(await call('GET /users/permissions', { token })).toEqual({ status: 200, body: none })
    }
  })
})
