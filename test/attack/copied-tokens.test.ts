// An attacker who has stolen a token creates other tokens with it, so that they outlive its
// revocation.
import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/owner.ts'
import { createServer } from '../../src/http/server.ts'
import { visitorOf } from '../http/login-scene.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const server = await createServer(ctx)
const v3 = { 'service-api-version': '3' }

let anna: User & { token: string }
let leaked: string
beforeEach(async () => {
  ctx.pass(600)
  anna = await make.user('anna')
  leaked = await make.token(anna, ['public', 'private', 'read'])
})

async function copyOf(token: string): Promise<string> {
  const payload = { codehost_token: token }
  const answer = await server.inject({ method: 'POST', url: '/auth/codehost', payload })
  return answer.json<{ access_token: string }>().access_token
}

const api = async (token: string) =>
  (await server.inject({ url: '/users', headers: { authorization: `token ${token}` } })).statusCode

/** A copy, a copy of the copy, and a session. */
async function copies() {
  const first = await copyOf(leaked)
  const second = await copyOf(first)
  const browser = visitorOf(server)
  await browser.submit('/login', '/auth/handshake', { codehost_token: second })
  const statuses = async () => [
    await api(first),
    await api(second),
    (await browser.get('/profile')).statusCode,
  ]
  expect(await statuses()).toEqual([200, 200, 200])
  return { first, statuses }
}

async function idOf(token: string): Promise<number> {
  const headers = { authorization: `token ${anna.token}`, ...v3 }
  const list = await server.inject({ url: '/tokens', headers })
  const index = token === leaked ? -2 : -3
  return list.json<{ tokens: { id: number }[] }>().tokens.at(index)?.id ?? 0
}

test('copies are revoked with the token that created them', async () => {
  const { statuses } = await copies()
  const headers = { authorization: `token ${anna.token}`, ...v3 }
  const url = `/token/${await idOf(leaked)}`
  expect((await server.inject({ method: 'DELETE', url, headers })).statusCode).toBe(204)
  expect(await api(leaked)).toBe(403)
  expect(await statuses()).toEqual([403, 403, 401])
  expect(await api(anna.token)).toBe(200)
})

test('copies are revoked when that token is renewed', async () => {
  const { statuses } = await copies()
  const headers = { authorization: `token ${leaked}`, ...v3 }
  const payload = { token: leaked }
  const answer = await server.inject({ method: 'PATCH', url: '/access_token', headers, payload })
  expect(answer.statusCode).toBe(200)
  expect(await statuses()).toEqual([403, 403, 401])
  expect(await api(answer.json<{ token: string }>().token)).toBe(200)
})

test('revoking a copy revokes the copies made with it, and no others', async () => {
  const { first, statuses } = await copies()
  const headers = { authorization: `token ${first}` }
  expect((await server.inject({ url: '/logout', headers })).statusCode).toBe(200)
  expect(await statuses()).toEqual([403, 403, 401])
  expect(await api(leaked)).toBe(200)
})

/** Creates a token with another token by `POST`; returns the response with its end. */
async function madeWith(maker: string, payload: object, path = '/tokens') {
  const headers = { authorization: `token ${maker}`, ...v3 }
  const answer = await server.inject({ method: 'POST', url: path, headers, payload })
  return [answer.statusCode, answer.json<{ token: string; expires_at: string }>()] as const
}

describe('a token that is created with another token', () => {
  const end = new Date(Date.UTC(2026, 0, 20)).toISOString()
  const all = ['read', 'builds', 'settings', 'admin']
  let maker: string
  beforeEach(async () => {
    const [, made] = await madeWith(anna.token, { name: 'maker', expires_at: end, scopes: all })
    maker = made.token
  })

  test('is revoked with the other token', async () => {
    const [, { token }] = await madeWith(maker, { name: 'copy', scopes: all })
    const [, further] = await madeWith(token, { name: 'copy of a copy' })
    expect([await api(token), await api(further.token)]).toEqual([200, 200])
    const headers = { authorization: `token ${maker}`, ...v3 }
    const revoked = await server.inject({ method: 'DELETE', url: '/access_token', headers })
    expect(revoked.statusCode).toBe(204)
    expect([await api(token), await api(further.token)]).toEqual([403, 403])
    expect(await api(anna.token)).toBe(200)
  })

  test('expires with the other token at the latest', async () => {
    const earlier = new Date(Date.UTC(2026, 0, 10)).toISOString()
    const later = new Date(Date.UTC(2026, 1, 10)).toISOString()
    const ends = async (payload: object) => {
      const [status, { expires_at }] = await madeWith(maker, { name: 'copy', ...payload })
      return [status, expires_at]
    }
    expect(await ends({})).toEqual([201, '2026-01-20T00:00:00Z'])
    expect(await ends({ expires_at: earlier })).toEqual([201, '2026-01-10T00:00:00Z'])
    expect(await ends({ expires_at: later })).toEqual([422, undefined])
  })

  test('of a repository expires with the other token as well, but survives its revocation', async () => {
    const repository = await make.repository()
    await make.permission(anna, repository, 'admin')
    const path = `/repo/${repository.id}/tokens`
    const [status, made] = await madeWith(maker, { name: 'deploy' }, path)
    expect([status, made.expires_at]).toEqual([201, '2026-01-20T00:00:00Z'])
    const headers = { authorization: `token ${maker}`, ...v3 }
    await server.inject({ method: 'DELETE', url: '/access_token', headers })
    expect(await api(made.token)).toBe(200)
  })
})
