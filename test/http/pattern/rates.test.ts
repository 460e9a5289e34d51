import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { type Method, post } from '../../../src/http/core/endpoint.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { v3 } from '../../../src/http/v3/core/mount.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const v3Header = { 'service-api-version': '3' }

let anna: User & { token: string }
beforeAll(async () => {
  const make = factories(db)
  await make.build()
  anna = await make.user('anna')
})

describe('a rate', () => {
  const rate = { name: 'notes', calls: 2, seconds: 60, of: 'anonymous' } as const
  const endpoints = [
    post('/notes', { rate, answer: () => ({ done: true }) }),
    post('/lists', { rate, answer: () => ({ done: true }) }),
  ]

  test('is shared by endpoints with the same name, and recovers', async () => {
    const ctx = testContext(db)
    const call = await smallApi(ctx, v2, endpoints)
    const statuses = async (...asked: string[]) =>
      (await Promise.all(asked.map((each) => call(each)))).map(({ statusCode }) => statusCode)
    expect(await statuses('POST /notes', 'POST /lists')).toEqual([200, 200])
    const refused = await call('POST /notes')
    expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      'Retry later',
      '30',
    ])
    ctx.pass(29)
    expect(await statuses('POST /notes')).toEqual([429])
    ctx.pass(1)
    expect(await statuses('POST /notes', 'POST /notes')).toEqual([200, 429])
  })

  test('for anonymous callers does not apply to users, and is counted for each network', async () => {
    const call = await smallApi(testContext(db), v2, endpoints)
    const authorization = `token ${anna.token}`
    for (let count = 0; count < 4; count += 1) {
      expect((await call('POST /notes', { authorization })).statusCode).toBe(200)
    }
    expect((await call('POST /notes')).statusCode).toBe(200)
  })

  test('of an endpoint that needs a login is counted for each user, and not used up by refused calls', async () => {
    const renewals = { name: 'renewals', calls: 2, seconds: 60, of: 'everyone' } as const
    const answer = () => ({ done: true })
    const call = await smallApi(testContext(db), v2, [
      post('/keys', { login: true, rate: renewals, answer }),
    ])
    for (let count = 0; count < 3; count += 1) {
      expect((await call('POST /keys')).statusCode).toBe(401)
    }
    const authorization = `token ${anna.token}`
    for (const expected of [200, 200, 429]) {
      expect((await call('POST /keys', { authorization })).statusCode).toBe(expected)
    }
    const other = { authorization: `token ${(await factories(db).user('other')).token}` }
    expect((await call('POST /keys', other)).statusCode).toBe(200)
  })

  test('is shown in each response', async () => {
    const call = await smallApi(testContext(db), v2, endpoints)
    const told = async () => {
      const { statusCode, headers } = await call('POST /notes')
      const names = ['limit', 'remaining', 'reset'].map((name) => headers[`ratelimit-${name}`])
      return [statusCode, ...names]
    }
    expect([await told(), await told(), await told()]).toEqual([
      [200, '2', '1', '30'],
      [200, '2', '0', '60'],
      [429, '2', '0', '60'],
    ])
  })

  test('is reported in the body of V3', async () => {
    const call = await smallApi(testContext(db), v3, endpoints)
    for (const expected of [200, 200, 429]) {
      expect((await call('POST /notes', v3Header)).statusCode).toBe(expected)
    }
    expect((await call('POST /notes', v3Header)).json()).toMatchObject({
      '@type': 'error',
      error_type: 'too_many_requests',
    })
  })
})

describe('RATE_LIMITS', () => {
  const limitedCall = async (rateLimits: boolean) => {
    const ctx = testContext(db)
    const call = caller(await createServer({ ...ctx, site: { ...ctx.site, rateLimits } }))
    for (let count = 0; count < 500; count += 1) await call('GET /')
    return call
  }

  test('allows 500 calls a minute from an address without a token, and does not limit users or pages', async () => {
    const call = await limitedCall(true)
    const refused = await call('GET /builds/1')
    expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      'Retry later',
      '1',
    ])
    expect((await call('GET /repo/1', v3Header)).json()).toMatchObject({
      error_type: 'too_many_requests',
    })
    expect((await call('GET /builds/1', { authorization: `token ${anna.token}` })).statusCode).toBe(
      200,
    )
    expect((await call('GET /', { accept: 'text/html' })).statusCode).toBe(200)
    // A proxy of images is one address for many people.
    expect((await call('GET /octavia/hello.svg')).statusCode).toBe(200)
  })

  test('counts calls with a wrong token too', async () => {
    const ctx = testContext(db)
    const call = caller(await createServer({ ...ctx, site: { ...ctx.site, rateLimits: true } }))
    const guess = { authorization: 'token bsvc_00000000000000000000000000000000' }
    for (let count = 0; count < 500; count += 1) await call('GET /', guess)
    expect((await call('GET /builds/1', guess)).statusCode).toBe(429)
    expect((await call('GET /builds/1')).statusCode).toBe(429)
  })

  test('is off by default', async () => {
    const call = await limitedCall(testContext(db).site.rateLimits)
    expect((await call('GET /builds/1')).statusCode).toBe(200)
  })
})

test('each anonymous read of a job’s log counts', () => {
  const of = (method: Method, path: string) =>
    v2Endpoints.find((endpoint) => endpoint.method === method && endpoint.paths.includes(path))
  expect(of('GET', '/jobs/:job/log')?.admission.rate).toMatchObject({ of: 'anonymous' })
})
