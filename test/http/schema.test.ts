import { gunzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { bundleSchema } from '../../src/buildfile/schema/bundle.ts'
import { vocabulary } from '../../src/buildfile/schema/document.ts'
import { createServer } from '../../src/http/server.ts'
import { readSchemaFiles } from '../../src/service/contexts.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { caller, prefixed } from './door.ts'

const ctx = testContext(await testDatabase())
const call = caller(await createServer(ctx))
const below = caller(await createServer(prefixed(ctx)))

const path = '/schema/service-yml.json'
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

test.each([
  ['an editor', path, {}],
  ['a client of V2.1', path, { accept: 'application/vnd.service.2.1+json' }],
  ['a client of V3', path, { 'service-api-version': '3' }],
  ['a client of V3 by path', `/v3${path}`, {}],
  ['a browser', path, { accept: browser }],
  ['a page from elsewhere', path, { origin: 'https://editor.example' }],
])('the schema of build files is found at %s', async (_who, url, headers) => {
  const answer = await call(`GET ${url}`, headers)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'application/schema+json',
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
  })
  const id = 'https://ci.example.org/schema/service-yml.json'
  expect(answer.json()).toEqual(
    JSON.parse(JSON.stringify(bundleSchema(readSchemaFiles(), id))) as unknown,
  )
})

test('the strict schema flags unknown keys', async () => {
  const strict = '/schema/service-yml.strict.json'
  const answer = await call(`GET ${strict}`)
  expect(answer.headers['content-type']).toBe('application/schema+json')
  expect(answer.json()).toMatchObject({ $id: `https://ci.example.org${strict}` })
  const ajv = new Ajv2020({ strict: false })
  for (const keyword of vocabulary) ajv.addKeyword(keyword)
  const isValid = ajv.compile(answer.json())
  expect(isValid({ language: 'ruby', scirpt: 'make' })).toBe(false)
  expect(isValid({ language: 'ruby', git: { depht: 3 } })).toBe(false)
  expect(isValid({ language: 'ruby', script: 'make', git: { depth: 3 } })).toBe(true)
})

test('the schema’s address is the public address of the installation', async () => {
  const answer = await below(`GET /ci${path}`)
  expect(answer.json()).toMatchObject({ $id: `https://x.example.org/ci${path}` })
})

test('the schema distinguishes valid build files from invalid ones', async () => {
  const ajv = new Ajv2020({ strict: false })
  for (const keyword of vocabulary) ajv.addKeyword(keyword)
  const isValid = ajv.compile((await call(`GET ${path}`)).json())
  expect(isValid({ language: 'ruby', script: ['make'] })).toBe(true)
  expect(isValid({ git: { depth: ['deep'] } })).toBe(false)
})

test('the schema is sent again only after it has changed', async () => {
  const { headers } = await call(`GET ${path}`)
  const etag = String(headers.etag)
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
  for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const answer = await call(`GET ${path}`, { 'if-none-match': known })
    expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag])
  }
  for (const other of ['W/"other"', '', 'W/""']) {
    expect((await call(`GET ${path}`, { 'if-none-match': other })).statusCode).toBe(200)
  }
})

test('the schema is compressed if that is accepted', async () => {
  const plain = await call(`GET ${path}`)
  const packed = await call(`GET ${path}`, { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
})

test('HEAD of the schema is GET without a body', async () => {
  const get = await call(`GET ${path}`)
  const head = await call(`HEAD ${path}`)
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
  '%s of the schema is an unknown path',
  async (method) => {
    const answer = await call(`${method} ${path}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  },
)
