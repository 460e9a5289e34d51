import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { putUser } from '../../../src/store/people/users.ts'
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
  (await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).map(
    ({ actor, action, subject_type, subject_id }) => [actor, action, subject_type, subject_id],
  )

const syncing = () => db.selectFrom('users').select('id').where('is_syncing', '=', true).execute()

describe('POST /user/{id}/sync', () => {
  test('starts a sync of the user', async () => {
    const answer = await call(`POST /user/${anna.id}/sync`, anna)
    expect(answer).toMatchObject({
      status: 200,
      body: { '@type': 'user', '@representation': 'standard', id: anna.id, is_syncing: true },
    })
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: anna.id } }])
    expect(await audited()).toEqual([['anna', 'sync', 'user', anna.id]])
  })

  test('is refused while a sync is running', async () => {
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

  test('ends immediately for a local user', async () => {
    const local = await putUser(db, { provider: 'local', codehost_id: 1, login: 'local' })
    const token = await make.token(local)
    expect(await call(`POST /user/${local.id}/sync`, { token })).toMatchObject({
      status: 200,
      body: { is_syncing: false, synced_at: '2026-01-02T12:00:00Z' },
    })
  })

  test('is refused for another user', async () => {
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

  test('starts no sync if an include is invalid', async () => {
    const { status } = await call(`POST /user/${anna.id}/sync?include=user.colour`, anna)
    expect([status, await syncing()]).toEqual([400, []])
  })
})

describe('GET /logout', () => {
  test('revokes the token of the call, and no other', async () => {
    const other = await make.token(anna)
    expect(await call('GET /logout', anna)).toMatchObject({
      status: 200,
      body: { '@type': 'user', '@representation': 'standard', id: anna.id },
    })
    expect(await call('GET /', anna)).toMatchObject({ body: { error_type: 'wrong_credentials' } })
    expect(await call('GET /', { token: other })).toMatchObject({ status: 200 })
    expect(await audited()).toEqual([['anna', 'log_out', 'user', anna.id]])
  })

  test('needs a login', async () => {
    expect(await call('GET /logout')).toMatchObject({
      status: 403,
      body: { error_type: 'login_required' },
    })
  })
})
