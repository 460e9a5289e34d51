import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const server = caller(await createServer(ctx))

interface Made {
  id: number
  token: string
}

/** Calls V3, with JSON; returns status and body. */
async function call(asked: string, token?: string, body?: object) {
  const answer = await server(
    asked,
    {
      'service-api-version': '3',
      ...(token === undefined ? {} : { authorization: `token ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body === undefined ? undefined : JSON.stringify(body),
  )
  return [answer.statusCode, answer.body === '' ? '' : answer.json<unknown>()] as const
}

async function made(asked: string, token: string, body: object): Promise<Made> {
  const [status, shown] = await call(asked, token, body)
  expect(status).toBe(201)
  return shown as Made
}

/** The statuses of calls of both generations that are made with a token. */
async function statuses(token: string, ...asked: string[]): Promise<number[]> {
  const list: number[] = []
  for (const each of asked) {
    const [path = '', version = '2'] = each.split(' as ')
    const headers = {
      authorization: `token ${token}`,
      ...(version === '3' ? { 'service-api-version': '3' } : {}),
    }
    list.push((await server(path, headers)).statusCode)
  }
  return list
}

let anna: User & { token: string }
let web: Repository
let safe: Repository

// Both are private, and Anna administers both.
beforeEach(async () => {
  ctx.enqueued.length = 0
  anna = await make.user('anna')
  web = await make.repository({ owner_name: 'acme', name: 'web', private: true })
  safe = await make.repository({ owner_name: 'acme', name: 'safe', private: true })
  await make.permission(anna, web, 'admin')
  await make.permission(anna, safe, 'admin')
})

const audited = async () =>
  (await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).map(
    ({ actor, action, subject_type, subject_id, details }) => ({
      actor,
      action,
      subject: `${subject_type} ${subject_id}`,
      changed: details.changed,
    }),
  )

const stored = () => db.selectFrom('tokens').selectAll().where('application', '=', 3).execute()

const lacking = [
  403,
  {
    '@type': 'error',
    error_type: 'insufficient_access',
    error_message: 'operation requires write access to token',
    permission: 'write',
    resource_type: 'token',
  },
]

const byAnna = () => ({
  '@type': 'user',
  '@href': `/user/${anna.id}`,
  '@representation': 'minimal',
  '@permissions': { read: true, write: true, sync: true },
  id: anna.id,
  login: 'anna',
  name: 'Name of anna',
  vcs_type: 'CodehostUser',
  ro_mode: false,
})

const whole = (id: number) => ({
  '@type': 'token',
  '@href': `/token/${id}`,
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  id,
  name: 'laptop',
  scopes: ['read'],
  sees_private: true,
  repositories: null,
  repository: null,
  created_by: byAnna(),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
  last_used_at: null,
  expires_at: '2026-04-02T12:00:00Z',
  token: null,
})

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
  ])('takes %j', async (body, scopes) => {
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
    expect(await stored()).toEqual([])
  })

  test('says no more of a hidden repository than of one that does not exist', async () => {
    const hidden = await make.repository({ name: 'hidden', private: true })
    const [first, second] = await Promise.all(
      [hidden.id, 4711].map((id) =>
        call('POST /tokens', anna.token, { name: 'a', repositories: [id] }),
      ),
    )
    expect(first).toEqual(second)
  })

  test('makes none that cannot be shown', async () => {
    const answer = await call('POST /tokens?include=token.colour', anna.token, { name: 'a' })
    expect([answer[0], await stored()]).toEqual([400, []])
  })

  test('leaves a record without the token', async () => {
    const { id } = await made('POST /tokens', anna.token, { name: 'a', repositories: [web.id] })
    expect(await audited()).toEqual([
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
  ])('is not for a token that is limited by %j, nor is any other call here', async (limit) => {
    const given = { name: 'a', ...limit, ...(limit.repositories ? { repositories: [web.id] } : {}) }
    const { id, token } = await made('POST /tokens', anna.token, given)
    expect(await call('POST /tokens', token, { name: 'more' })).toMatchObject([403, {}])
    expect(await call(`POST /repo/${web.id}/tokens`, token, { name: 'more' })).toMatchObject([
      403,
      {},
    ])
    expect(await call('GET /tokens', token)).toEqual(lacking)
    expect(await call(`GET /repo/${web.id}/tokens`, token)).toEqual(lacking)
    for (const asked of [`GET /token/${id}`, `DELETE /token/${id}`]) {
      expect(await call(asked, token)).toMatchObject([404, { resource_type: 'token' }])
    }
    expect(await stored()).toHaveLength(1)
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
      { tokens: [{ name: null, scopes: ['read', 'builds', 'settings', 'admin'] }] },
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
    expect((await audited())[1]).toEqual({
      actor: 'anna',
      action: 'revoke_token',
      subject: `token ${id}`,
      changed: { token: id, name: 'laptop' },
    })
  })

  test('is not for the token of another', async () => {
    const other = await make.user('other')
    const { id, token } = await made('POST /tokens', anna.token, { name: 'laptop' })
    for (const asked of [`GET /token/${id}`, `DELETE /token/${id}`]) {
      const hidden = await call(asked, other.token)
      expect(hidden).toEqual(await call(asked.replace(String(id), '4711'), other.token))
      expect(hidden).toMatchObject([404, { resource_type: 'token' }])
    }
    expect(await statuses(token, 'GET /user as 3')).toEqual([200])
  })

  test.each(['0', '99999999999999999999'])('knows no %s', async (id) => {
    expect(await call(`DELETE /token/${id}`, anna.token)).toMatchObject([
      404,
      { resource_type: 'token' },
    ])
  })
})

describe('a token that ends at a fixed time', () => {
  test('is not kept alive by being used, and cannot be exchanged', async () => {
    const expires_at = '2026-01-03T12:00:00Z'
    const { token } = await made('POST /tokens', anna.token, {
      name: 'short',
      scopes: ['read', 'builds', 'settings', 'admin'],
      expires_at,
    })
    ctx.pass(23 * 60 * 60)
    expect(await statuses(token, 'GET /users')).toEqual([200])
    expect((await stored())[0]).toMatchObject({ expires_at: new Date(expires_at) })
    const exchanged = await server('POST /auth/codehost', {}, { codehost_token: token })
    expect([exchanged.statusCode, exchanged.body]).toEqual([403, 'not a service user'])
    ctx.pass(60 * 60)
    expect(await statuses(token, 'GET /users')).toEqual([403])
    ctx.pass(-24 * 60 * 60)
  })
})

describe('a token for some repositories', () => {
  const all = ['read', 'builds', 'settings', 'admin']
  const limited = (scopes = all, repositories = [web.id]) =>
    made('POST /tokens', anna.token, { name: 'ci', scopes, repositories })

  test('sees and changes nothing of the others, in both generations', async () => {
    const { token } = await limited()
    const build = await make.build({ repository: safe })
    await make.job({ build })
    expect(
      await statuses(
        token,
        `GET /repo/${web.id} as 3`,
        `GET /repo/acme%2Fweb/branches as 3`,
        `GET /repos/${web.id}/settings`,
        `PATCH /repos/${web.id}/settings?settings[build_pushes]=false`,
      ),
    ).toEqual([200, 200, 200, 200])
    expect(
      await statuses(
        token,
        `GET /repo/${safe.id} as 3`,
        'GET /repo/acme%2Fsafe as 3',
        `GET /repo/${safe.id}/branches as 3`,
        `GET /repos/${safe.id}`,
        'GET /repos/acme/safe',
        `GET /repos/${safe.id}/settings`,
        `PATCH /repos/${safe.id}/settings?settings[build_pushes]=false`,
        `PUT /hooks/${safe.id}?hook[active]=false`,
        `GET /settings/env_vars?repository_id=${safe.id}`,
        `GET /builds/${build.id}`,
        `POST /builds/${build.id}/cancel`,
        'GET /jobs/1/log',
        'GET /acme/safe',
      ),
    ).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404])
  })

  test('lists only them', async () => {
    const { token } = await limited()
    await make.build({ repository: safe })
    const of = async (path: string) =>
      (await server(`GET ${path}`, { authorization: `token ${token}` })).json<
        Record<string, { id: number }[]>
      >()
    expect((await of('/repos'))['repos']).toMatchObject([{ id: web.id }])
    expect((await of('/hooks?all=true'))['hooks']).toMatchObject([{ id: web.id }])
    expect((await of(`/builds?repository_id=${safe.id}`))['builds']).toEqual([])
    expect(await of('/users/permissions')).toMatchObject({ permissions: [web.id] })
    const [, owner] = await call('GET /owner/acme?include=owner.repositories', token)
    expect(owner).toMatchObject({ repositories: [{ slug: 'acme/web' }] })
  })

  test('shows of a public repository what everyone sees', async () => {
    const open = await make.repository({ name: 'open' })
    await make.permission(anna, open, 'admin')
    const secret = await make.build({ repository: open, private: true })
    const { token } = await limited()
    expect(
      await statuses(
        token,
        `GET /repo/${open.id} as 3`,
        `GET /builds/${secret.id}`,
        `PATCH /repos/${open.id}/settings`,
      ),
    ).toEqual([200, 404, 404])
    const [, shown] = await call(`GET /repo/${open.id}`, token)
    expect(shown).toMatchObject({ '@permissions': { read: true, write: false, admin: false } })
  })

  test('follows what its user may do', async () => {
    const { token } = await limited()
    const rights = async () => {
      const [status, body] = await call(`GET /repo/${web.id}`, token)
      return [status, (body as { '@permissions'?: { admin: boolean } })['@permissions']?.admin]
    }
    expect(await rights()).toEqual([200, true])
    await make.permission(anna, web, 'pull')
    expect(await rights()).toEqual([200, false])
    await db.deleteFrom('permissions').where('user_id', '=', anna.id).execute()
    expect(await rights()).toEqual([404, undefined])
    await make.permission(anna, web, 'push')
    expect(await rights()).toEqual([200, false])
  })

  test('changes nothing else of its user', async () => {
    const { token } = await limited()
    expect(
      await statuses(
        token,
        'PUT /users/1?user[locale]=de',
        'POST /users/sync',
        `POST /user/${anna.id}/sync as 3`,
        'GET /user as 3',
        'GET /users',
      ),
    ).toEqual([403, 403, 403, 200, 200])
    const exchanged = await server('POST /auth/codehost', {}, { codehost_token: token })
    expect(exchanged.statusCode).toBe(403)
    expect(ctx.enqueued).toEqual([])
  })

  test('does only what its scopes say', async () => {
    const { token } = await limited(['read'])
    expect(
      await statuses(token, `GET /repo/${web.id} as 3`, `PATCH /repos/${web.id}/settings`),
    ).toEqual([200, 403])
  })

  test('is shown with them, and does not share an ETag with others', async () => {
    const { id, token } = await limited(all, [safe.id, web.id])
    expect(await call(`GET /token/${id}`, anna.token)).toMatchObject([
      200,
      {
        scopes: all,
        repositories: [
          { '@representation': 'minimal', slug: 'acme/web' },
          { '@representation': 'minimal', slug: 'acme/safe' },
        ],
      },
    ])
    const tag = async (each: string) =>
      (await server(`GET /repos/${web.id}`, { authorization: `token ${each}` })).headers['etag']
    expect(await tag(token)).toBe(await tag(token))
    expect(await tag(token)).not.toBe(await tag(anna.token))
  })
})

describe('a token of a repository', () => {
  const of = (scopes: string[]) =>
    made(`POST /repo/${web.id}/tokens`, anna.token, { name: 'deploy', scopes })

  test('is made by an admin of it, and belongs to no person', async () => {
    const { id } = await of(['read', 'builds'])
    const [status, body] = await call(`GET /repo/acme%2Fweb/tokens`, anna.token)
    expect([status, body]).toMatchObject([
      200,
      {
        '@pagination': { count: 1, limit: 25 },
        tokens: [
          {
            '@href': `/token/${id}`,
            '@permissions': { read: true, write: true },
            name: 'deploy',
            scopes: ['read', 'builds'],
            sees_private: true,
            repositories: null,
            repository: { '@type': 'repository', '@representation': 'minimal', slug: 'acme/web' },
            created_by: { login: 'anna' },
            token: null,
          },
        ],
      },
    ])
    expect(await audited()).toEqual([
      {
        actor: 'anna',
        action: 'make_token',
        subject: `repository ${web.id}`,
        changed: { token: id, name: 'deploy', scopes: ['read', 'builds'] },
      },
    ])
  })

  test('acts as a user whom no one else finds', async () => {
    const { token } = await of(['read'])
    const [, bot] = await call('GET /user', token)
    const { id, login } = bot as { id: number; login: string }
    expect(login).toMatch(/^token-\d+\[bot\]$/)
    const paths = [`GET /user/${id}`, `GET /owner/${encodeURIComponent(login)}`]
    for (const path of paths) {
      for (const caller of [anna.token, undefined]) {
        expect(await call(path, caller)).toMatchObject([404, { error_type: 'not_found' }])
      }
    }
    expect(await call(`GET /user/${id}`, token)).toMatchObject([200, { login }])
  })

  test('sees its repository, and does there what it is for', async () => {
    const { token } = await of(['read', 'settings'])
    expect(
      await statuses(
        token,
        `GET /repo/${web.id} as 3`,
        `GET /repos/${web.id}`,
        `PATCH /repos/${web.id}/settings?settings[build_pushes]=false`,
        `GET /repo/${safe.id} as 3`,
        `GET /repos/${safe.id}`,
        `PATCH /repos/${safe.id}/settings`,
        `POST /repos/${web.id}/key`,
        'GET /repos/octavia',
      ),
    ).toEqual([200, 200, 200, 404, 404, 404, 404, 200])
    expect((await audited()).at(-1)).toMatchObject({
      actor: expect.stringMatching(/^token-\d+\[bot\]$/) as string,
      action: 'change_settings',
      subject: `repository ${web.id}`,
    })
    const reader = await of(['read'])
    expect(
      await statuses(
        reader.token,
        `GET /repos/${web.id}/settings`,
        `PATCH /repos/${web.id}/settings`,
      ),
    ).toEqual([200, 403])
    const [, shown] = await call(`GET /repo/${web.id}`, reader.token)
    expect(shown).toMatchObject({ '@permissions': { read: true, write: false, admin: false } })
  })

  test('outlives the role of who made it, and is revoked by any admin', async () => {
    const { id, token } = await of(['read'])
    await db.deleteFrom('permissions').where('user_id', '=', anna.id).execute()
    expect(await statuses(token, `GET /repo/${web.id} as 3`)).toEqual([200])
    expect(await call(`DELETE /token/${id}`, anna.token)).toMatchObject([404, {}])
    const admin = await make.user('another')
    await make.permission(admin, web, 'admin')
    expect(await call(`DELETE /token/${id}`, admin.token)).toEqual([204, ''])
    expect(await statuses(token, `GET /repo/${web.id} as 3`)).toEqual([403])
    expect((await audited()).at(-1)).toMatchObject({
      actor: 'another',
      action: 'revoke_token',
      subject: `repository ${web.id}`,
    })
  })

  test('is neither for the installation nor for more tokens', async () => {
    expect(
      await call(`POST /repo/${web.id}/tokens`, anna.token, { name: 'a', scopes: ['admin'] }),
    ).toMatchObject([422, {}])
    const { token } = await of(['read', 'builds', 'settings'])
    expect(await call('POST /tokens', token, { name: 'more' })).toEqual(lacking)
    expect(await call(`GET /repo/${web.id}/tokens`, token)).toEqual(lacking)
    const exchanged = await server('POST /auth/codehost', {}, { codehost_token: token })
    expect(exchanged.statusCode).toBe(403)
  })

  test.each(['', '/tokens'])('is hidden with its repository: /repo/{id}%s', async (rest) => {
    const stranger = await make.user('stranger')
    const missing = [404, { resource_type: 'repository' }]
    expect(await call(`GET /repo/${web.id}${rest}`, stranger.token)).toMatchObject(missing)
    expect(await call(`GET /repo/4711${rest}`, stranger.token)).toMatchObject(missing)
  })

  test('is refused to those who do not administer it', async () => {
    const pusher = await make.user('pusher')
    await make.permission(pusher, web, 'push')
    const reader = await make.user('reader')
    await make.permission(reader, web, 'pull')
    for (const method of ['GET', 'POST']) {
      expect(await call(`${method} /repo/${web.id}/tokens?name=a`, pusher.token)).toMatchObject([
        403,
        { error_type: 'insufficient_access', permission: 'admin', resource_type: 'repository' },
      ])
      expect(await call(`${method} /repo/${web.id}/tokens?name=a`, reader.token)).toMatchObject([
        403,
        { error_type: 'insufficient_access' },
      ])
      expect(await call(`${method} /repo/${web.id}/tokens?name=a`)).toMatchObject([
        403,
        { error_type: 'login_required' },
      ])
    }
    expect(await stored()).toEqual([])
  })
})

describe('PATCH /access_token', () => {
  test('puts a new token in the place of one', async () => {
    const { id, token } = await made('POST /tokens', anna.token, {
      name: 'ci',
      repositories: [web.id],
    })
    const [status, body] = await call('PATCH /access_token', anna.token, { token })
    expect([status, body]).toEqual([
      200,
      { '@type': 'access_token', token: expect.stringMatching(/^bsvc_/) as string },
    ])
    const renewed = (body as Made).token
    expect(await statuses(token, 'GET /user as 3')).toEqual([403])
    expect(
      await statuses(renewed, `GET /repo/${web.id} as 3`, `GET /repo/${safe.id} as 3`),
    ).toEqual([200, 404])
    expect((await audited()).at(-1)).toMatchObject({
      action: 'renew_token',
      subject: `token ${id}`,
    })
  })

  test('takes the token with its type as well, and never in the query', async () => {
    const forms = [
      (token: string) => ({ 'access_token.token': token }),
      (token: string) => ({ access_token: { token } }),
      (token: string) => ({ '@type': 'access_token', token }),
    ]
    for (const form of forms) {
      const { token } = await made('POST /tokens', anna.token, { name: 'ci' })
      const [status, body] = await call('PATCH /access_token', anna.token, form(token))
      expect([status, body]).toEqual([
        200,
        { '@type': 'access_token', token: expect.stringMatching(/^bsvc_/) as string },
      ])
      expect(await statuses(token, 'GET /user as 3')).toEqual([403])
    }
    for (const name of ['token', 'access_token.token', 'access_token[token]']) {
      expect(await call(`PATCH /access_token?${name}=x`, anna.token)).toMatchObject([
        400,
        { error_message: 'token must be in the body' },
      ])
    }
  })

  test('a token in the body alone is no login, however it is nested', async () => {
    const answer = await call('PATCH /access_token', undefined, { access_token: { token: 'x' } })
    expect(answer).toMatchObject([403, { error_type: 'login_required' }])
  })

  test('a limited one renews itself, and no other', async () => {
    const { token } = await made('POST /tokens', anna.token, { name: 'ci' })
    expect(await call('PATCH /access_token', token, { token: anna.token })).toMatchObject([
      404,
      { resource_type: 'access_token' },
    ])
    expect(await call('PATCH /access_token', token, { token })).toMatchObject([200, {}])
  })

  test('refuses those of others, unknown ones and none', async () => {
    const other = await make.user('other')
    for (const token of [other.token, 'bsvc_nothing', '\0']) {
      expect(await call('PATCH /access_token', anna.token, { token })).toMatchObject([
        404,
        { resource_type: 'access_token' },
      ])
    }
    for (const body of [{}, { token: ['a'] }, { token: null }]) {
      expect(await call('PATCH /access_token', anna.token, body)).toMatchObject([
        400,
        { error_type: 'wrong_params' },
      ])
    }
    expect(await call(`PATCH /access_token?token=${anna.token}`, anna.token)).toMatchObject([
      400,
      { error_type: 'wrong_params' },
    ])
    expect(await call('PATCH /access_token')).toMatchObject([403, { error_type: 'login_required' }])
    expect(await statuses(anna.token, 'GET /user as 3')).toEqual([200])
    expect(await audited()).toEqual([])
  })
})

describe('DELETE /access_token', () => {
  test('revokes the token that it is called with', async () => {
    const other = await make.token(anna)
    expect(await call('DELETE /access_token', anna.token)).toEqual([204, ''])
    expect(await statuses(anna.token, 'GET /user as 3')).toEqual([403])
    expect(await statuses(other, 'GET /user as 3')).toEqual([200])
    expect(await call('DELETE /access_token')).toMatchObject([
      403,
      { error_type: 'login_required' },
    ])
  })
})
