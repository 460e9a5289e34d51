import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

let token = ''
let logToken = ''
beforeAll(async () => {
  const anna = await make.user('anna')
  token = anna.token
  const repository = await make.repository({ private: true })
  await make.permission(anna, repository)
  await make.job({ build: await make.build({ repository }) })
  const answer = await call('GET /jobs/1/log', { authorization: `token ${token}` })
  logToken = String(answer.headers['x-log-access-token'])
})

const v3 = { 'service-api-version': '3' }
const large = 'x'.repeat(300 * 1024)
const packed = { 'content-encoding': 'foo' }

describe('a rejected body is reported after errors of the caller', () => {
  test.each<[string, Record<string, string>, string, number]>([
    ['POST /builds/1/cancel', {}, large, 413],
    ['POST /builds/1/cancel', packed, '{}', 400],
    ['POST /build/1/cancel', v3, large, 413],
    ['POST /build/1/cancel', { ...v3, ...packed }, '{}', 400],
  ])('%s %j', async (asked, headers, body, status) => {
    const statusOf = async (authorization?: string) =>
      (await call(asked, { ...headers, ...(authorization ? { authorization } : {}) }, body))
        .statusCode
    expect(await statusOf('token nope')).toBe(403)
    expect(await statusOf()).toBe(asked.startsWith('POST /builds') ? 401 : 403)
    expect(await statusOf(`token ${token}`)).toBe(status)
  })
})

test.each([['["nope"]'], ['12'], ['{"a": 1}'], ['true']])(
  'a token in the body that is not a text is refused: %s',
  async (given) => {
    const body = `{"content": "script: x", "access_token": ${given}}`
    const asked = (headers: Record<string, string>) =>
      call('POST /lint', { 'content-type': 'application/json', ...headers }, body)
    expect((await asked({})).statusCode).toBe(403)
    // In V3 a record holds parameters of what has that name.
    const isRecord = given.startsWith('{')
    expect((await asked(v3)).statusCode).toBe(isRecord ? 200 : 403)
  },
)

test('an invalid callback is reported to the holder of a log token as to any other caller', async () => {
  const path = `/jobs/1/log?access_token=${encodeURIComponent(logToken)}`
  expect((await call(`GET ${path}&callback=good`)).statusCode).toBe(200)
  const answer = await call(`GET ${path}&callback=bad-name`)
  expect([answer.statusCode, answer.body]).toEqual([400, 'Bad Request'])
  expect(answer.headers['cache-control']).toBe('no-store')
  expect((await call('GET /jobs/1/log?access_token=nope&callback=bad-name')).statusCode).toBe(403)
})
