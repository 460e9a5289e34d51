import { expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { caller } from '../http/door.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

// Addresses are written into logs, histories and referrers: a token in an address leaks, so it is
// accepted nowhere.

const db = await testDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const v3 = { 'service-api-version': '3' }

test('a token in the query is refused', async () => {
  const { token } = await make.user('anna')
  await make.repository({ name: 'hello' })
  for (const given of [token, 'unknown', 'a&access_token=b']) {
    for (const path of ['/', '/config', '/repos', '/repos/1', '/jobs/1/log', '/no/such/path']) {
      const answer = await call(`GET ${path}?access_token=${given}`)
      expect([path, answer.statusCode, answer.body]).toEqual([
        path,
        403,
        expect.stringMatching(/^access denied/),
      ])
    }
    for (const path of ['/', '/repos', '/repo/1', '/no/such/path']) {
      const answer = await call(`GET ${path}?access_token=${given}`, v3)
      expect([path, answer.statusCode, answer.json()]).toEqual([
        path,
        403,
        {
          '@type': 'error',
          error_type: 'wrong_credentials',
          error_message: expect.stringContaining('send it in the header Authorization') as string,
        },
      ])
    }
    expect((await call(`POST /lint?access_token=${given}`, v3, 'a: 1')).statusCode).toBe(403)
  }
  expect((await call('GET /repos?access_token=')).statusCode).toBe(200)
  const used = await db.selectFrom('tokens').select('last_used_at').execute()
  expect(used).toEqual([{ last_used_at: null }])
})

test.each(['token', 'access_token', 'log.token', 'to%6Ben', 'Token', 'token[]'])(
  'a %s in a query appears in no link of V3',
  async (name) => {
    const anna = await make.user('anna')
    for (const repository of ['a', 'b', 'c'])
      await make.permission(anna, await make.repository({ name: repository }))
    const { token } = anna
    const headers = { ...v3, authorization: `token ${token}` }
    const query = `limit=1&${name}=bsvc_secret&offset=1&sort_by=id`
    const { statusCode, body } = await call(`GET /repos?${query}`, headers)
    expect([statusCode, body]).toEqual([200, expect.not.stringContaining('bsvc_secret')])
    expect(JSON.parse(body)).toMatchObject({
      '@href': '/repos?limit=1&offset=1&sort_by=id',
      '@pagination': { next: { '@href': '/repos?limit=1&offset=2&sort_by=id' } },
    })
    const alone = await call(`GET /repos?${name}=bsvc_secret`, headers)
    expect(alone.json()).toMatchObject({ '@href': '/repos' })
    const moved = await call(`GET /v3?${name}=bsvc_secret&a=b`, headers)
    expect(moved.headers.location).toBe('/v3/?a=b')
  },
)
