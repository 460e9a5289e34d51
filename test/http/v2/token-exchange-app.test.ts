import { beforeEach, describe, expect, test } from 'vitest'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { openApi } from '../../../src/http/v2/openapi/document.ts'
import { testDatabase } from '../../support/database.ts'
import { loginScene } from '../login-scene.ts'
import { judgeOf } from '../openapi.ts'

const db = await testDatabase()
const { ctx, host, server, logIn, visitor } = await loginScene(db)
const { problemsOf } = judgeOf(openApi(v2Endpoints, ctx.site))
const settings = { ...ctx.config }
const enough = ['repo', 'read:org', 'user:email']

beforeEach(async () => {
  Object.assign(ctx.config, settings)
  await logIn(visitor())
})

async function exchange(token: string) {
  const answer = await server.inject({
    method: 'POST',
    url: '/auth/codehost',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ codehost_token: token }).toString(),
  })
  const type = answer.headers['content-type']?.toString()
  const called = { method: 'POST', path: '/auth/codehost', status: answer.statusCode, type }
  const isJson = type?.includes('json') ?? false
  const body: unknown = isJson ? answer.json() : answer.body
  expect(problemsOf({ ...called, body })).toEqual([])
  return { status: answer.statusCode, body: answer.body, type, headers: answer.headers }
}

const refused = { status: 403, body: 'not a service user', type: 'text/plain;charset=utf-8' }

describe('POST /auth/codehost with the app', () => {
  test.each([
    ['a personal token', () => host.personalToken('octavia', enough)],
    ['a token of the app', () => host.userToken('octavia')],
  ])(
    'takes %s of a user who has logged in, and returns a token of this service',
    async (_what, make) => {
      const { status, body, headers } = await exchange(make())
      expect(status).toBe(200)
      expect(headers['cache-control']).toBe('no-store')
      const { access_token } = JSON.parse(body) as { access_token: string }
      expect(access_token).toMatch(/^bsvc_\w{32}$/)
      const answer = await server.inject({
        url: '/users',
        headers: { authorization: `token ${access_token}` },
      })
      expect(answer.json()).toMatchObject({ user: { login: 'octavia' } })
    },
  )

  test('changes no users and stores no code host token', async () => {
    const everything = async () => ({
      users: await db.selectFrom('users').selectAll().execute(),
      codehost_tokens: await db.selectFrom('codehost_tokens').selectAll().execute(),
    })
    const before = await everything()
    ctx.enqueued.length = 0
    const token = host.personalToken('octavia', enough)
    await exchange(token)
    expect(await everything()).toEqual(before)
    expect(ctx.enqueued).toEqual([])
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records.at(-1)).toMatchObject({
      actor: 'octavia',
      action: 'issue_token',
      details: { changed: { by: 'exchange' } },
    })
    expect(JSON.stringify(records)).not.toContain(token)
  })

  test('accepts a token of this service, without sending it to the code host', async () => {
    const { body } = await exchange(host.userToken('octavia'))
    const { access_token } = JSON.parse(body) as { access_token: string }
    const calls = host.calls.length
    expect((await exchange(access_token)).status).toBe(200)
    expect((await exchange('bsvc_unknown')).status).toBe(403)
    expect(host.calls).toHaveLength(calls)
  })

  test.each([
    ['a user who is unknown here', () => host.personalToken('stranger', enough)],
    ['no user', () => 'ghp_nothing'],
    ['no user, with invalid characters', () => 'ghp_\n\u0000é'],
  ])('refuses the token of %s', async (_whose, make) => {
    expect(await exchange(make())).toMatchObject(refused)
  })

  test('refuses a user who has never logged in', async () => {
    await db.updateTable('users').set({ first_logged_in_at: null }).execute()
    expect(await exchange(host.userToken('octavia'))).toMatchObject(refused)
  })

  test('refuses a user who is blocked', async () => {
    await db.updateTable('users').set({ blocked_at: ctx.now() }).execute()
    expect(await exchange(host.userToken('octavia'))).toMatchObject(refused)
  })

  test('refuses a user whom the settings no longer name', async () => {
    Object.assign(ctx.config, { allowedLogins: ['codehost:ada'] })
    expect(await exchange(host.userToken('octavia'))).toMatchObject(refused)
  })

  test.each([{ kind: 'broken' } as const, { kind: 'status', status: 502 } as const])(
    'reports that the code host cannot be reached: %j',
    async (failure) => {
      host.failNext(failure, /^GET \/user$/)
      expect(await exchange(host.userToken('octavia'))).toMatchObject({
        status: 401,
        body: 'could not resolve codehost token',
        type: 'text/plain;charset=utf-8',
      })
    },
  )

  test.each([
    ['octavia', '/auth/insufficient_access#existing-user'],
    ['stranger', '/auth/insufficient_access'],
  ])(
    'redirects a token with too few scopes to a page that explains it: %s',
    async (login, path) => {
      const answer = await exchange(host.personalToken(login, ['gist']))
      expect([answer.status, answer.headers.location]).toEqual([303, path])
      const page = await server.inject({ url: '/auth/insufficient_access' })
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain('read:org')
    },
  )

  test.each([
    [[], false],
    [['user', 'read'], false],
    [['user', 'read', 'write', 'repo_deployment'], false],
    [['read:org', 'user:email', 'repo_deployment', 'repo:status', 'write:repo_hook'], true],
    [['public_repo'], true],
  ])('accepts the scopes %j: %s', async (scopes, expected) => {
    const { status } = await exchange(host.personalToken('octavia', scopes))
    expect(status).toBe(expected ? 200 : 303)
  })
})
