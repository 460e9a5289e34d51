import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { json } from '../../src/store/tables.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller, unlimited } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer({ ...testContext(db), rates: unlimited }))

beforeAll(async () => {
  const build = await make.build({ config: json({ script: 'x'.repeat(5000) }) })
  await make.log(await make.job({ build }), 'hello\n', 'x'.repeat(5000))
})

const v3 = { 'service-api-version': '3' }
const page = { accept: 'text/html' }

const everyGeneration = [
  ['GET /', {}],
  ['GET /builds/1', {}],
  ['GET /builds/9', {}],
  ['GET /builds/1', { accept: 'image/png' }],
  ['GET /builds/1', { authorization: 'token wrong' }],
  ['GET /builds/9', { accept: 'application/vnd.service.2+json' }],
  ['GET /jobs/1/log', {}],
  ['GET /nowhere', {}],
  ['DELETE /builds/1', {}],
  ['GET /%zz', {}],
  ['GET /%zz', v3],
  [`GET /repos/${'a'.repeat(2000)}`, {}],
  ['GET /', v3],
  ['GET /repo/1', v3],
  ['GET /repo/9', v3],
  ['PUT /repo/1', v3],
  ['GET /v3', {}],
  ['GET /', page],
  ['GET /octavia/none', page],
  ['POST /webhooks/codehost', {}],
  ['OPTIONS /builds/1', {}],
] as const

describe('every response', () => {
  test.each(everyGeneration)('allows other origins: %s %j', async (request, headers) => {
    const origin = 'https://elsewhere.example'
    expect((await call(request, { ...headers, origin })).headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers':
        'Content-Type, Cache-Control, Expires, Etag, Last-Modified, X-Request-ID',
    })
  })

  test.each(everyGeneration)('repeats the id of the request: %s %j', async (request, headers) => {
    const id = 'b5b0-0001 "x"'
    const answer = await call(request, { ...headers, 'x-request-id': id })
    expect(answer.headers['x-request-id']).toBe(id)
    expect((await call(request, headers)).headers).not.toHaveProperty('x-request-id')
  })
})

describe('OPTIONS', () => {
  test.each([
    ['/', {}],
    ['/builds/1', { origin: 'https://x.example', 'access-control-request-method': 'GET' }],
    ['/no/such/path', {}],
    ['/repo/octavia%2Fhello', v3],
    ['/builds/1', { authorization: 'token wrong' }],
    ['/', page],
    ['/builds/1', { accept: 'image/png' }],
  ])('%s is allowed for every origin: %j', async (path, headers) => {
    const answer = await call(`OPTIONS ${path}`, headers)
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers).not.toHaveProperty('content-type')
    expect(answer.headers).toMatchObject({
      'access-control-allow-methods': 'HEAD, GET, POST, PATCH, PUT, DELETE',
      'access-control-allow-headers':
        'Content-Type, Authorization, Accept, If-None-Match, If-Modified-Since, ' +
        'X-User-Agent, X-Client-Release, Service-API-Version, Idempotency-Key, Trace',
      'access-control-max-age': '86400',
    })
  })
})

describe('HEAD', () => {
  test.each([
    ['/', {}],
    ['/config', {}],
    ['/builds/1', {}],
    ['/builds/9', {}],
    ['/builds/1', { accept: 'image/png' }],
    ['/builds/1', { 'accept-encoding': 'gzip' }],
    ['/jobs/1/log', {}],
    ['/requests?repository_id=1', {}],
    ['/repos/1', { authorization: 'token wrong' }],
    ['/nowhere', {}],
    ['/', v3],
    ['/repo/1', v3],
    ['/repo/9', v3],
    ['/', page],
    ['/octavia/hello', page],
    ['/lint', page],
    ['/docs/lint', page],
    ['/docs/lint/find_key', page],
    ['/assets/style.css', {}],
    ['/assets/lint.js', {}],
    ['/schema/service-yml.json', {}],
    ['/schema/service-yml.strict.json', {}],
  ])('%s is GET without a body: %j', async (path, headers) => {
    const get = await call(`GET ${path}`, headers)
    const head = await call(`HEAD ${path}`, headers)
    expect(head.statusCode).toBe(get.statusCode)
    expect(head.body).toBe('')
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
  })
})

describe('the type of a response', () => {
  test.each([
    ['GET /', {}, 'application/json'],
    ['GET /config', {}, 'application/json'],
    ['GET /builds/1', {}, 'application/json;charset=utf-8'],
    ['GET /jobs/1', {}, 'application/json;charset=utf-8'],
    ['GET /requests/1', {}, 'application/json;charset=utf-8'],
    ['GET /requests?repository_id=1', {}, 'application/json;charset=utf-8'],
    ['GET /repos/1', {}, 'application/json;charset=utf-8'],
    ['GET /builds/9', {}, 'application/json'],
    ['GET /jobs/9', {}, 'application/json'],
    ['GET /jobs/1/log', {}, 'text/plain;charset=utf-8'],
    ['GET /', v3, 'application/json'],
    ['GET /repo/1', v3, 'application/json'],
    ['GET /repo/9', v3, 'application/json'],
    ['GET /repo/1', { ...v3, accept: 'fun/times' }, 'application/json'],
    ['GET /repo/1', { ...v3, accept: 'text/plain' }, 'text/plain'],
    ['GET /repo/9', { ...v3, accept: 'text/plain' }, 'text/plain'],
    ['GET /repo/1', { ...v3, accept: 'text/plain, */*' }, 'application/json'],
    ['GET /', page, 'text/html;charset=utf-8'],
    ['GET /octavia/none', page, 'text/html;charset=utf-8'],
  ])('to %s %j is %s', async (request, headers, type) => {
    expect((await call(request, headers)).headers['content-type']).toBe(type)
  })
})

test.each(['GET /builds/1', 'GET /repos/1', 'GET /jobs/1/log', 'GET /requests/1'])(
  '%s is revalidated on each call, for each caller',
  async (request) => {
    expect((await call(request)).headers).toMatchObject({
      'cache-control': 'no-cache',
      vary: 'Accept, Authorization, Service-API-Version',
    })
  },
)

test.each([
  ['GET /builds/9', {}],
  ['GET /nowhere', {}],
  ['GET /', { authorization: 'token wrong' }],
  ['GET /repo/9', v3],
  ['GET /octavia/none', page],
  ['GET /%zz', {}],
] as const)('a refusal is not cached: %s %j', async (request, headers) => {
  expect((await call(request, headers)).headers['cache-control']).toBe('no-store')
})

describe('a long response is compressed', () => {
  test.each(['/builds/1', '/jobs/1/log'])('if gzip is accepted: %s', async (path) => {
    const plain = await call(`GET ${path}`)
    const packed = await call(`GET ${path}`, { 'accept-encoding': 'deflate, gzip;q=0.8' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept, Authorization, Service-API-Version, accept-encoding',
      'content-length': String(packed.rawPayload.length),
    })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length)
  })

  test('but not if it is short', async () => {
    const answer = await call('GET /', { 'accept-encoding': 'gzip' })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })
})
