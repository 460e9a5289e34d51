import { beforeAll, describe, expect, test } from 'vitest'
import type { TrustProxy } from '../../src/config/trust-proxy.ts'
import { prefixOf } from '../../src/http/core/prefix.ts'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { prefixed } from './door.ts'

const { db } = await ownDatabase()
const ctx = prefixed(testContext(db))
const trusting = { ...ctx, site: { ...ctx.site, trustProxy: ['10.0.0.0/8'] } }
const server = await createServer(trusting)

beforeAll(async () => {
  await factories(db).repository({ name: 'hello' })
})

const v3 = { 'service-api-version': '3' }
const get = (url: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  server.inject({ url, remoteAddress, headers: { 'x-script-name': '/api', ...headers } })

describe('X-Script-Name', () => {
  test('is the prefix of paths in V3 if a trusted proxy sends it', async () => {
    const one = (await get('/v3/repo/1', '10.1.2.3')).json<Record<string, unknown>>()
    expect(one).toMatchObject({ '@href': '/api/v3/repo/1', owner: { '@href': '/api/v3/user/1' } })
    const list = await get('/owner/octavia/repos?limit=1', '10.1.2.3', v3)
    expect(list.json()).toMatchObject({
      '@href': '/api/owner/octavia/repos?limit=1',
      '@pagination': { first: { '@href': '/api/owner/octavia/repos?limit=1' } },
    })
    const home = await get('/', '10.1.2.3', v3)
    expect(home.json()).toMatchObject({ '@href': '/api/' })
    const bare = await get('/v3', '10.1.2.3')
    expect([bare.statusCode, bare.headers.location]).toEqual([307, '/api/v3/'])
    const missing = await get('/v3/repo/9', '10.1.2.3')
    expect(missing.statusCode).toBe(404)
  })

  test('can still be a part of the path', async () => {
    const answer = await get('/api/v3/repo/1', '10.1.2.3')
    expect(answer.json()).toMatchObject({ '@href': '/api/v3/repo/1' })
  })

  test('is ignored if any other client sends it', async () => {
    const one = await get('/v3/repo/1', '192.0.2.1')
    expect(one.json()).toMatchObject({ '@href': '/ci/v3/repo/1' })
    const forwarded = await get('/v3/repo/1', '192.0.2.1', { 'x-forwarded-for': '10.1.2.3' })
    expect(forwarded.json()).toMatchObject({ '@href': '/ci/v3/repo/1' })
  })

  test('leads to another ETag, because other paths are shown', async () => {
    const { etag } = (await get('/v3/repo/1', '10.1.2.3')).headers
    const other = { 'x-script-name': '/other', 'if-none-match': String(etag) }
    expect(
      (await get('/v3/repo/1', '10.1.2.3', { 'if-none-match': String(etag) })).statusCode,
    ).toBe(304)
    expect((await get('/v3/repo/1', '10.1.2.3', other)).statusCode).toBe(200)
  })
})

test.each<[TrustProxy, string | undefined, string, string]>([
  [true, '192.0.2.1', '/api', '/api'],
  [true, undefined, '/api', '/api'],
  [true, '192.0.2.1', '/api/', '/api'],
  [true, '192.0.2.1', '/', ''],
  [true, '192.0.2.1', '', ''],
  [true, '192.0.2.1', '/a/b-c', '/a/b-c'],
  // Those could lead elsewhere.
  [true, '192.0.2.1', '//evil.example', '/ci'],
  [true, '192.0.2.1', 'https://evil.example', '/ci'],
  [true, '192.0.2.1', '/a/../b', '/ci'],
  [true, '192.0.2.1', '/a/.', '/ci'],
  [true, '192.0.2.1', '/.a', '/.a'],
  [true, '192.0.2.1', '/a?b', '/ci'],
  [true, '192.0.2.1', '/a"b', '/ci'],
  [false, '127.0.0.1', '/api', '/ci'],
  [['192.0.2.1'], '192.0.2.1', '/api', '/api'],
  [['192.0.2.1'], '192.0.2.2', '/api', '/ci'],
  [['192.0.2.1'], undefined, '/api', '/ci'],
  [['loopback'], '::1', '/api', '/api'],
  [['loopback'], '::ffff:127.0.0.1', '/api', '/api'],
  [['loopback', 'uniquelocal'], '172.20.1.1', '/api', '/api'],
  [['uniquelocal'], '172.32.1.1', '/api', '/ci'],
  [['linklocal'], 'fe80::1', '/api', '/api'],
  [['2001:db8::/32'], '2001:db8::5', '/api', '/api'],
])('trusting %j, %s sends %s: the prefix is %s', (trustProxy, remoteAddress, name, prefix) => {
  const request = { headers: { 'x-script-name': name }, socket: { remoteAddress } }
  expect(prefixOf({ prefix: '/ci', trustProxy }, request as never)).toBe(prefix)
})
