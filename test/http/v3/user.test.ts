import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { putUser } from '../../../src/store/users.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v3Client(await createServer(ctx))

let anna: User & { token: string }
beforeEach(async () => {
  anna = await make.user('anna')
  ctx.enqueued.length = 0
})

const audited = async () =>
  (await db.selectFrom('audit_records').selectAll().execute()).map(
    ({ actor, action, subject_type, subject_id }) => [actor, action, subject_type, subject_id],
  )

const syncing = () => db.selectFrom('users').select('id').where('is_syncing', '=', true).execute()

describe('POST /user/{id}/sync', () => {
  test('has the user looked up', async () => {
    const answer = await call(`POST /user/${anna.id}/sync`, anna)
    expect(answer).toMatchObject({
      status: 200,
      body: { '@type': 'user', '@representation': 'standard', id: anna.id, is_syncing: true },
    })
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: anna.id } }])
    expect(await audited()).toEqual([['anna', 'sync', 'user', anna.id]])
  })

  test('is refused while that is under way', async () => {
    await call(`POST /user/${anna.id}/sync`, anna)
    expect(await call(`POST /user/${anna.id}/sync`, anna)).toEqual({
      status: 409,
      body: {
        '@type': 'error',
        error_type: 'already_syncing',
        error_message: 'a sync is already running',
      },
    })
    expect(ctx.enqueued).toHaveLength(1)
  })

  test('ends at once for a user of this machine', async () => {
    const local = await putUser(db, { provider: 'local', codehost_id: 1, login: 'local' })
    const token = await make.token(local)
    expect(await call(`POST /user/${local.id}/sync`, { token })).toMatchObject({
      status: 200,
      body: { is_syncing: false, synced_at: '2026-01-02T12:00:00Z' },
    })
  })

  test('is for oneself', async () => {
    const other = await make.user('other')
    expect(await call(`POST /user/${anna.id}/sync`, other)).toEqual({
      status: 403,
      body: {
        '@type': 'error',
        error_type: 'insufficient_access',
        error_message: 'operation requires write access to user',
        permission: 'write',
        resource_type: 'user',
        user: {
          '@type': 'user',
          '@href': `/user/${anna.id}`,
          '@representation': 'minimal',
          '@permissions': { read: true, write: false, sync: false },
          id: anna.id,
          login: 'anna',
          name: 'Name of anna',
          vcs_type: 'CodehostUser',
          ro_mode: false,
        },
      },
    })
    for (const path of ['9999', String(anna.id)]) {
      expect(await call(`POST /user/${path}/sync`)).toMatchObject({
        status: 403,
        body: { error_type: 'login_required' },
      })
    }
    expect(await call('POST /user/9999/sync', anna)).toMatchObject({
      status: 404,
      body: { resource_type: 'user' },
    })
    expect([await syncing(), await audited(), ctx.enqueued]).toEqual([[], [], []])
  })

  test('starts nothing that cannot be shown', async () => {
    const { status } = await call(`POST /user/${anna.id}/sync?include=user.colour`, anna)
    expect([status, await syncing()]).toEqual([400, []])
  })
})

describe('GET /orgs', () => {
  const logins = async (query: string, who: { token?: string } = anna) => {
    const { body } = await call(`GET /orgs${query}`, who)
    return (body as { organizations: { login: string }[] }).organizations.map(({ login }) => login)
  }

  beforeEach(async () => {
    const [beta, alpha, gone] = [
      await make.organization('beta'),
      await make.organization('Alpha'),
      await make.organization('gone'),
    ]
    await make.organization('elsewhere')
    await make.membership(anna, beta, 'admin')
    await make.membership(anna, alpha)
    await make.membership(anna, gone)
    await db
      .updateTable('organizations')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
  })

  test('shows those of the caller', async () => {
    expect(await call('GET /orgs?limit=1', anna)).toMatchObject({
      status: 200,
      body: {
        '@type': 'organizations',
        '@href': '/orgs?limit=1',
        '@representation': 'standard',
        '@pagination': { limit: 1, offset: 0, count: 2, is_last: false },
        organizations: [{ '@representation': 'standard', '@permissions': { admin: true } }],
      },
    })
    expect((await call('GET /orgs', anna)).body).toMatchObject({ '@pagination': { limit: 100 } })
    expect(await logins('', await make.user())).toEqual([])
  })

  test.each([
    ['', ['beta', 'Alpha']],
    ['?sort_by=login', ['Alpha', 'beta']],
    ['?sort_by=login:desc', ['beta', 'Alpha']],
    ['?sort_by=codehost_id:desc', ['Alpha', 'beta']],
    ['?sort_by=vcs_id,name,id', ['beta', 'Alpha']],
    ['?role=admin', ['beta']],
    ['?organization.role=member', ['Alpha']],
    ['?role=admin,member', ['beta', 'Alpha']],
    ['?role=owner', []],
    ['?role=%00', []],
    ['?offset=1', ['Alpha']],
  ])('%s', async (query, expected) => {
    expect(await logins(query)).toEqual(expected)
  })

  test('needs a login, and a token that sees what is private', async () => {
    expect(await call('GET /orgs')).toMatchObject({ status: 403 })
    expect(await logins('', { token: await make.token(anna, ['public']) })).toEqual([])
  })
})

describe('GET /logout', () => {
  test('revokes the token that it is called with, and no other', async () => {
    const other = await make.token(anna)
    expect(await call('GET /logout', anna)).toMatchObject({
      status: 200,
      body: { '@type': 'user', '@representation': 'standard', id: anna.id },
    })
    expect(await call('GET /', anna)).toMatchObject({ body: { error_type: 'wrong_credentials' } })
    expect(await call('GET /', { token: other })).toMatchObject({ status: 200 })
    expect(await audited()).toEqual([['anna', 'log_out', 'user', anna.id]])
  })

  test('needs one', async () => {
    expect(await call('GET /logout')).toMatchObject({
      status: 403,
      body: { error_type: 'login_required' },
    })
  })
})
