import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const call = caller(await createServer(testContext(db)))

beforeAll(async () => {
  await factories(db).build()
})

const v3 = { 'service-api-version': '3' }
const missing = { file: 'not found' }
const wrongMethod = {
  '@type': 'error',
  error_type: 'method_not_allowed',
  error_message: 'method not allowed',
}
const unknownPath = {
  '@type': 'error',
  error_type: 'not_found',
  error_message: 'resource not found (or insufficient access)',
  resource_type: null,
}

test('V3 returns the scopes of the token with refusals too', async () => {
  const { token } = await factories(db).user('scoped')
  const scopesOf = async (path: string, sent?: string) => {
    const headers = sent === undefined ? v3 : { ...v3, authorization: `token ${sent}` }
    const { statusCode, headers: received } = await call(path, headers)
    return [statusCode, received['x-oauth-scopes']]
  }
  const [, scopes] = await scopesOf('GET /user', token)
  expect(scopes).toContain('public')
  expect(await scopesOf('GET /nowhere', token)).toEqual([404, scopes])
  expect(await scopesOf('PUT /repo/1', token)).toEqual([405, scopes])
  expect(await scopesOf('GET /repo/999', token)).toEqual([404, scopes])
  expect(await scopesOf('GET /nowhere')).toEqual([404, ''])
  expect(await scopesOf('GET /repo/1', 'wrong')).toEqual([403, ''])
})

describe('V2.1 reports a wrong method as an unknown path', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
    for (const path of ['/', '/builds/1', '/requests/1', '/repos/octavia/hello', '/nowhere']) {
      const answer = await call(`${method} ${path}`)
      expect([path, answer.statusCode, answer.json()]).toEqual([path, 404, missing])
    }
  })

  test.each(['/nowhere', '/builds/1/x', '/requests/1/x', '//', '/builds//1', '/BUILDS/1', '/log'])(
    'GET %s',
    async (path) => {
      const answer = await call(`GET ${path}`)
      expect([answer.statusCode, answer.json()]).toEqual([404, missing])
    },
  )
})

describe('V3 distinguishes wrong methods from unknown paths', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', async (method) => {
    for (const path of ['/', '/repo/1', '/repo/local/1', '/repo/9', '/repo/a%2Fb']) {
      const answer = await call(`${method} ${path}`, v3)
      expect([path, answer.statusCode, answer.json()]).toEqual([path, 405, wrongMethod])
    }
    const answer = await call(`${method} /nowhere`, v3)
    expect([answer.statusCode, answer.json()]).toEqual([404, unknownPath])
  })

  test.each([
    '/nowhere',
    '/repo',
    '/repo/',
    '/repo/1/',
    '/repo/a/b/c',
    '/repo//1',
    '/repo/octavia',
    '/repo/octavia/hello',
    '/Repo/1',
    '/builds/1',
  ])('GET %s', async (path) => {
    const answer = await call(`GET ${path}`, v3)
    expect([answer.statusCode, answer.json()]).toEqual([404, unknownPath])
  })
})

describe('a path that cannot be read', () => {
  test.each(['/%zz', '/builds/%', '/repos/%E0%A4%A', '/repos/o/%C3%28'])('%s', async (path) => {
    const legacy = await call(`GET ${path}`)
    expect([legacy.statusCode, Object.keys(legacy.json())]).toEqual([400, ['error']])
    expect(legacy.headers['content-type']).toBe('application/json')
    const current = await call(`GET ${path}`, v3)
    expect(current.statusCode).toBe(400)
    expect(current.json()).toMatchObject({ '@type': 'error', error_type: 'wrong_params' })
  })

  test.each([
    `/repos/${'a'.repeat(1025)}`,
    `/repos/o/${'a'.repeat(9000)}`,
    `/builds/${'1'.repeat(9000)}`,
    `/${'a'.repeat(9000)}`,
  ])('is unknown because it is too long', async (path) => {
    const legacy = await call(`GET ${path}`)
    expect([legacy.statusCode, legacy.json()]).toEqual([404, missing])
  })

  test('is also unknown to V3 because it is too long', async () => {
    const answer = await call(`GET /repo/${'a'.repeat(9000)}`, v3)
    expect([answer.statusCode, answer.json()]).toEqual([404, unknownPath])
  })
})

describe('a body', () => {
  const types = [
    'application/json',
    'text/yaml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'weird',
    '',
    ';;;',
    'application/json; charset="',
    'a/b/c',
  ]

  test.each(types)(
    'labelled "%s" does not change the response to an unknown path',
    async (type) => {
      const headers = { 'content-type': type }
      const legacy = await call('POST /builds/1', headers, '{')
      expect([legacy.statusCode, legacy.json()]).toEqual([404, missing])
      const current = await call('PATCH /repo/1', { ...v3, ...headers }, '{')
      expect([current.statusCode, current.json()]).toEqual([405, wrongMethod])
      expect((await call('DELETE /nowhere', headers, '{')).statusCode).toBe(404)
    },
  )

  test('that is empty but has a content type does not change it either', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await call('POST /builds/1', headers)).statusCode).toBe(404)
  })

  test('that is too large is refused in each generation', async () => {
    const large = Buffer.alloc(256 * 1024 + 1, 'x')
    const legacy = await call('POST /lint', {}, large)
    const message = 'the body is too large: at most 256 KiB are accepted'
    expect([legacy.statusCode, legacy.json()]).toEqual([413, { error: message }])
    const current = await call('POST /lint', v3, large)
    expect([current.statusCode, current.json()]).toEqual([
      413,
      { '@type': 'error', error_type: 'payload_too_large', error_message: message },
    ])
  })
})
