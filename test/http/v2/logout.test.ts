import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))
const call = v2Client(server)

let anna: User & { token: string }
beforeEach(async () => {
  anna = await make.user('anna')
})

describe('GET /logout', () => {
  test('revokes the token of the call, and no other', async () => {
    const other = await make.token(anna)
    expect(await call('GET /logout', { token: anna.token })).toEqual({
      status: 200,
      body: {
        user: {
          id: anna.id,
          login: 'anna',
          name: 'Name of anna',
          email: 'anna@example.org',
          avatar_id: '7771093713556e85d7a876c08cb5bb63',
          avatar_url: null,
          locale: null,
          is_syncing: false,
          synced_at: null,
          correct_scopes: true,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          first_logged_in_at: '2026-01-02T12:00:00Z',
          channels: [`private-user-${anna.id}`],
          allow_migration: false,
          vcs_type: null,
        },
      },
    })
    expect(await call('GET /', { token: anna.token })).toEqual({
      status: 403,
      body: 'access denied',
    })
    expect(await call('GET /', { token: other })).toMatchObject({ status: 200 })
  })

  test('is not carried out by HEAD, in either generation', async () => {
    const headers = { authorization: `token ${anna.token}` }
    const send = caller(server)
    expect((await send('HEAD /logout', headers)).statusCode).toBe(404)
    expect((await send('HEAD /v3/logout', headers)).statusCode).toBe(405)
    expect(await call('GET /', { token: anna.token })).toMatchObject({ status: 200 })
  })

  test('revokes a token sent with any other scheme', async () => {
    const headers = { authorization: `Basic ${btoa(`${anna.token}:x`)}` }
    expect(await call('GET /logout', { headers })).toMatchObject({ status: 200 })
    expect(await call('GET /', { token: anna.token })).toMatchObject({ status: 403 })
  })

  test('needs a valid token', async () => {
    expect(await call('GET /logout')).toEqual({ status: 401, body: 'no access token supplied' })
    expect(await call('GET /logout', { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
  })

  test('leaves an audit record', async () => {
    await call('GET /logout', { token: anna.token })
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    const { id } = await db.selectFrom('tokens').select('id').executeTakeFirstOrThrow()
    expect(records).toMatchObject([
      {
        actor: 'anna',
        action: 'log_out',
        subject_type: 'user',
        subject_id: anna.id,
        details: { token_id: id },
      },
    ])
  })

  test('leaves a single audit record, even for several calls at once', async () => {
    await Promise.all([1, 2, 3, 4].map(() => call('GET /logout', { token: anna.token })))
    expect(await db.selectFrom('audit_records').select('action').execute()).toHaveLength(1)
  })

  test('revokes nothing if its response is not acceptable', async () => {
    const headers = { accept: 'image/png' }
    expect(await call('GET /logout', { token: anna.token, headers })).toMatchObject({ status: 406 })
    expect(await call('GET /', { token: anna.token })).toMatchObject({ status: 200 })
  })
})
