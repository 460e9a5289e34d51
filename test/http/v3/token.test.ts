import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  makeTokenScene,
  recordsOf,
  storedTokens,
  tokenCalls,
  tokenLacking,
  type TokenScene,
  wholeToken,
} from './token-calls.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const { server, call, made, statuses } = tokenCalls(await createServer(ctx))

let anna: TokenScene['anna']
let web: TokenScene['web']
beforeEach(async () => {
  ;({ anna, web } = await makeTokenScene(make))
})

const whole = (id: number) => wholeToken(anna, id)

describe('POST /tokens', () => {
  test('makes a token and shows it once', async () => {
    const shown = await made('POST /tokens', anna.token, { name: 'laptop' })
    expect(shown).toEqual({
      ...whole(shown.id),
      token: expect.stringMatching(/^bsvc_[0-9A-Za-z]{32}$/) as string,
    })
    expect(await call(`GET /token/${shown.id}`, anna.token)).toEqual([200, whole(shown.id)])
    expect(await statuses(shown.token, 'GET /user as 3', 'GET /users')).toEqual([200, 200])
    expect(await call(`GET /token/${shown.id}`, anna.token)).toMatchObject([
      200,
      { last_used_at: '2026-01-02T12:00:00Z' },
    ])
  })

  test.each([
    [{ 'token.name': 'ci', 'token.scopes': 'builds,read' }, ['read', 'builds']],
    [{ token: { name: 'ci', scopes: ['settings'] } }, ['settings']],
    [{ '@type': 'token', name: 'ci', scopes: ['admin', 'admin'] }, ['admin']],
  ])('makes a token with %j', async (body, scopes) => {
    expect(await made('POST /tokens', anna.token, body)).toMatchObject({ name: 'ci', scopes })
  })

  const invalid = (field: string) => [
    422,
    { error_type: 'unprocessable_entity', error_message: expect.stringContaining(field) as string },
  ]

  test.each<[object, unknown[]]>([
    [{}, invalid('name')],
    [{ name: ' ' }, invalid('name')],
    [{ name: 'a', scopes: [] }, invalid('scopes')],
    [{ name: 'a', scopes: ['everything'] }, invalid('scopes')],
    [{ name: 'a', scopes: { read: true } }, invalid('scopes')],
    [{ name: 'a', sees_private: 'perhaps' }, invalid('sees_private')],
    [{ name: 'a', repositories: [] }, invalid('repositories')],
    [{ name: 'a', repositories: ['acme/web'] }, invalid('repositories')],
    [{ name: 'a', repositories: ['99999999999999999999'] }, invalid('repositories')],
    [{ name: 'a', repositories: [4711] }, invalid('repositories')],
    [{ name: 'a', expires_at: '2026-01-02T11:59:59Z' }, invalid('expires_at')],
    [{ name: 'a', expires_at: 'tomorrow' }, [400, { error_type: 'wrong_params' }]],
  ])('refuses %j', async (body, expected) => {
    expect(await call('POST /tokens', anna.token, body)).toMatchObject(expected)
    expect(await storedTokens(db)).toEqual([])
  })

  test('makes a token that ends at the given time, however often it is used', async () => {
    const later = testContext(db)
    const ofLater = tokenCalls(await createServer(later))
    const expires_at = '2026-01-02T13:00:00Z'
    const shown = await Promise.all(
      ['/tokens', `/repo/${web.id}/tokens`].map((path) =>
        made(`POST ${path}`, anna.token, { name: 'short', scopes: ['read'], expires_at }),
      ),
    )
    expect(shown).toMatchObject([{ expires_at }, { expires_at }])
    const answers = () =>
      Promise.all(
        shown.map(async ({ token }) => ofLater.statuses(token, `GET /repo/${web.id} as 3`)),
      )
    later.pass(30 * 60)
    expect(await answers()).toEqual([[200], [200]])
    expect(await call(`GET /token/${shown[0]?.id}`, anna.token)).toMatchObject([
      200,
      { expires_at },
    ])
    later.pass(30 * 60 - 1)
    expect(await answers()).toEqual([[200], [200]])
    later.pass(1)
    expect(await answers()).toEqual([[403], [403]])
  })

  test('treats a hidden repository like a missing one', async () => {
    const hidden = await make.repository({ name: 'hidden', private: true })
    const [first, second] = await Promise.all(
      [hidden.id, 4711].map((id) =>
        call('POST /tokens', anna.token, { name: 'a', repositories: [id] }),
      ),
    )
    expect(first).toEqual(second)
  })

  test('makes no token if an include is invalid', async () => {
    const answer = await call('POST /tokens?include=token.colour', anna.token, { name: 'a' })
    expect([answer[0], await storedTokens(db)]).toEqual([400, []])
  })

  test('leaves an audit record without the token', async () => {
    const { id } = await made('POST /tokens', anna.token, { name: 'a', repositories: [web.id] })
    expect(await recordsOf(db)).toEqual([
      {
        actor: 'anna',
        action: 'make_token',
        subject: `token ${id}`,
        changed: { name: 'a', scopes: ['read'], repository_ids: [web.id], sees_private: true },
      },
    ])
  })

  test('needs a login', async () => {
    for (const asked of ['POST /tokens', 'GET /tokens', 'GET /token/1', 'DELETE /token/1']) {
      expect(await call(asked)).toMatchObject([403, { error_type: 'login_required' }])
      expect(await call(asked, 'wrong')).toMatchObject([403, { error_type: 'wrong_credentials' }])
    }
  })

  test.each([
    { scopes: ['read', 'builds', 'settings'] },
    { scopes: ['read', 'admin'] },
    { sees_private: false, scopes: ['read', 'builds', 'settings', 'admin'] },
    { repositories: true, scopes: ['read', 'builds', 'settings', 'admin'] },
  ])('and all other calls for tokens are refused to a token limited by %j', async (limit) => {
    const given = { name: 'a', ...limit, ...(limit.repositories ? { repositories: [web.id] } : {}) }
    const { id, token } = await made('POST /tokens', anna.token, given)
    expect(await call('POST /tokens', token, { name: 'more' })).toMatchObject([403, {}])
    expect(await call(`POST /repo/${web.id}/tokens`, token, { name: 'more' })).toMatchObject([
      403,
      {},
    ])
    expect(await call('GET /tokens', token)).toEqual(tokenLacking)
    expect(await call(`GET /repo/${web.id}/tokens`, token)).toEqual(tokenLacking)
    for (const asked of [`GET /token/${id}`, `DELETE /token/${id}`]) {
      expect(await call(asked, token)).toMatchObject([404, { resource_type: 'token' }])
    }
    expect(await storedTokens(db)).toHaveLength(1)
  })
})

describe('GET /tokens', () => {
  test('lists the caller’s valid tokens, the newest first', async () => {
    await make.token(anna, ['public', 'private'], new Date('2026-01-02T11:00:00Z'))
    const other = await make.user('other')
    await made('POST /tokens', other.token, { name: 'of another' })
    await made(`POST /repo/${web.id}/tokens`, anna.token, { name: 'of a repository' })
    const { id } = await made('POST /tokens', anna.token, { name: 'laptop' })
    const [status, body] = await call('GET /tokens?limit=1', anna.token)
    expect([status, body]).toMatchObject([
      200,
      {
        '@type': 'tokens',
        '@href': '/tokens?limit=1',
        '@representation': 'standard',
        '@pagination': { limit: 1, offset: 0, count: 2 },
      },
    ])
    expect((body as { tokens: unknown[] }).tokens).toEqual([whole(id)])
    expect(await call('GET /tokens?offset=1', anna.token)).toMatchObject([
      200,
      {
        tokens: [
          {
            ...whole(1),
            name: null,
            scopes: ['read', 'builds', 'settings', 'admin'],
            last_used_at: '2026-01-02T12:00:00Z',
            expires_at: null,
          },
        ],
      },
    ])
  })
})

describe('DELETE /token/{id}', () => {
  test('ends the token', async () => {
    const { id, token } = await made('POST /tokens', anna.token, { name: 'laptop' })
    expect(await call(`DELETE /token/${id}`, anna.token)).toEqual([204, ''])
    expect(await statuses(token, 'GET /user as 3', 'GET /users')).toEqual([403, 403])
    expect(await call(`GET /token/${id}`, anna.token)).toMatchObject([404, {}])
    expect(await call(`DELETE /token/${id}`, anna.token)).toMatchObject([404, {}])
    expect((await recordsOf(db))[1]).toEqual({
      actor: 'anna',
      action: 'revoke_token',
      subject: `token ${id}`,
      changed: { token: id, name: 'laptop' },
    })
  })

  test('does not revoke the token of another user', async () => {
    const other = await make.user('other')
    const { id, token } = await made('POST /tokens', anna.token, { name: 'laptop' })
    for (const asked of [`GET /token/${id}`, `DELETE /token/${id}`]) {
      const hidden = await call(asked, other.token)
      expect(hidden).toEqual(await call(asked.replace(String(id), '4711'), other.token))
      expect(hidden).toMatchObject([404, { resource_type: 'token' }])
    }
    expect(await statuses(token, 'GET /user as 3')).toEqual([200])
  })

  test.each(['0', '99999999999999999999'])('finds no token %s', async (id) => {
    expect(await call(`DELETE /token/${id}`, anna.token)).toMatchObject([
      404,
      { resource_type: 'token' },
    ])
  })
})

describe('a token that ends at a fixed time', () => {
  test('is not kept alive by use, and cannot be exchanged', async () => {
    const expires_at = '2026-01-03T12:00:00Z'
    const { token } = await made('POST /tokens', anna.token, {
      name: 'short',
      scopes: ['read', 'builds', 'settings', 'admin'],
      expires_at,
    })
    ctx.pass(23 * 60 * 60)
    expect(await statuses(token, 'GET /users')).toEqual([200])
    expect((await storedTokens(db))[0]).toMatchObject({ expires_at: new Date(expires_at) })
    const exchanged = await server('POST /auth/codehost', {}, { codehost_token: token })
    expect([exchanged.statusCode, exchanged.body]).toEqual([403, 'not a service user'])
    ctx.pass(60 * 60)
    expect(await statuses(token, 'GET /users')).toEqual([403])
    ctx.pass(-24 * 60 * 60)
  })
})
