import { describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { caller } from './door.ts'

const call = caller(await createServer(testContext(await testDatabase())))

describe.each([
  '/assets/style.css',
  '/assets/lint.js',
  '/schema/service-yml.json',
  '/schema/service-yml.strict.json',
])('%s', (path) => {
  test('is sent again only after it has changed', async () => {
    const whole = await call(`GET ${path}`)
    const etag = String(whole.headers.etag)
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)

    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const { statusCode, body, headers } = await call(`GET ${path}`, { 'if-none-match': known })
      expect([statusCode, body]).toEqual([304, ''])
      // What is left out is about the content that is not sent (RFC 9110, 15.4.5).
      const { 'content-type': _type, 'content-length': _length, ...others } = whole.headers
      expect({ ...headers, date: '' }).toEqual({ ...others, date: '' })
    }
    const other = await call(`GET ${path}`, { 'if-none-match': 'W/"other"' })
    expect([other.statusCode, other.body]).toEqual([200, whole.body])
  })

  test('has the same ETag if gzip is accepted, and for HEAD', async () => {
    const { etag } = (await call(`GET ${path}`)).headers
    const packed = await call(`GET ${path}`, { 'accept-encoding': 'gzip' })
    expect(packed.headers).toMatchObject({ etag })
    expect((await call(`HEAD ${path}`)).headers).toMatchObject({ etag })
    const known = await call(`HEAD ${path}`, { 'if-none-match': String(etag) })
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
  })
})

test.each([
  ['GET /', {}],
  ['GET /builds/9', {}],
  ['GET /', { 'service-api-version': '3' }],
  ['GET /', { accept: 'text/html' }],
  ['GET /lint', { accept: 'text/html' }],
  ['GET /assets/none.css', {}],
])('%s %j is not a file and has no ETag', async (request, headers) => {
  const answer = await call(request, { ...headers, 'if-none-match': '*' })
  expect(answer.statusCode).not.toBe(304)
  expect(answer.headers).not.toHaveProperty('etag')
})
