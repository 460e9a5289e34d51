import { expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { caller } from '../http/door.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

// An address is written into logs, histories and referrers: a token in one leaks, and works nowhere.

const db = await testDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const v3 = { 'service-api-version': '3' }

test('token in query refused', async () => {
  const { token } = await make.user('anna')
  await make.repository({ name: 'hello' })
  for (const given of [token, 'unknown', 'a&access_token=b']) {
    for (const path of ['/', '/config', '/repos', '/repos/1', '/jobs/1/log', '/no/such/path']) {
      const answer = await call(`GET ${path}?access_token=${given}`)
      expect([path, answer.statusCode, answer.body]).toEqual([path, 403, 'access denied'])
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
