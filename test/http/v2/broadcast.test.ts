import { type Insertable, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import type { Tables } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { idsOf } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

async function broadcast(given: Partial<Insertable<Tables['broadcasts']>> = {}): Promise<void> {
  await db
    .insertInto('broadcasts')
    .values({
      message: 'We move on Sunday',
      category: null,
      recipient_type: null,
      recipient_id: null,
      expires_at: null,
      ...given,
    })
    .execute()
}

const seen = async (token: string) =>
  idsOf((await call('GET /broadcasts', { token })).body, 'broadcasts')

describe('GET /broadcasts', () => {
  test.each(['/broadcasts', '/broadcasts/'])(
    'lists the broadcasts for everyone: %s',
    async (path) => {
      await broadcast()
      await broadcast({ message: 'We have moved', category: 'announcement' })
      const { token } = await make.user()
      expect(await call(`GET ${path}`, { token })).toEqual({
        status: 200,
        body: {
          broadcasts: [
            { id: 2, message: 'We have moved' },
            { id: 1, message: 'We move on Sunday' },
          ],
        },
      })
    },
  )

  test('lists the broadcasts for the user, and for the user’s organizations and repositories', async () => {
    const user = await make.user()
    const acme = await make.organization()
    const other = await make.organization()
    const repository = await make.repository()
    const strange = await make.repository({ name: 'strange' })
    await make.membership(user, acme)
    await make.permission(user, repository)
    const recipients = [
      ['User', user.id],
      ['User', user.id + 1],
      ['Organization', acme.id],
      ['Organization', other.id],
      ['Repository', repository.id],
      ['Repository', strange.id],
    ] as const
    for (const [recipient_type, recipient_id] of recipients) {
      await broadcast({ recipient_type, recipient_id })
    }
    expect(await seen(user.token)).toEqual([5, 3, 1])
  })

  test('leaves out broadcasts that have expired or are older than 14 days', async () => {
    const { token } = await make.user()
    await broadcast({ expires_at: sql<Date>`now() - interval '1 second'` as never })
    await broadcast({ expires_at: sql<Date>`now() + interval '1 hour'` as never })
    await broadcast({ created_at: sql<Date>`now() - interval '13 days 23 hours'` as never })
    await broadcast({ created_at: sql<Date>`now() - interval '14 days 1 hour'` as never })
    expect(await seen(token)).toEqual([3, 2])
  })

  test('needs a login', async () => {
    await broadcast()
    expect(await call('GET /broadcasts')).toEqual({ status: 401, body: 'no access token supplied' })
    expect(await call('GET /broadcasts', { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
  })
})
