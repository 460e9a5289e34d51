import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { TokenScope } from '../../../src/access/scopes.ts'
import { type Method, post } from '../../../src/http/endpoint.ts'
import { pages } from '../../../src/http/pages/index.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { v3Endpoints } from '../../../src/http/v3/endpoints.ts'
import { v3 } from '../../../src/http/v3/mount.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { withoutPatterns } from '../../support/routes.ts'
import { caller } from '../door.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const make = factories(db)
const v3Header = { 'service-api-version': '3' }
const page = { accept: 'text/html' }

let anna: User & { token: string }
beforeAll(async () => {
  await make.build()
  anna = await make.user('anna')
})

describe('FORCE_AUTHENTICATION', () => {
  const ctx = testContext(db)
  const server = createServer({ ...ctx, site: { ...ctx.site, forceAuthentication: true } })
  const status = async (asked: string, headers: Record<string, string>) =>
    (await caller(await server)(asked, headers)).statusCode

  test.each<[string, Record<string, string>, number, number]>([
    ['GET /', {}, 200, 200],
    ['GET /config', {}, 200, 200],
    ['POST /lint?content=script:', {}, 200, 200],
    ['GET /builds/1', {}, 401, 200],
    ['GET /builds/9', {}, 401, 404],
    ['GET /repos/octavia/none', {}, 401, 404],
    ['GET /jobs/1/log', {}, 401, 404],
    ['OPTIONS /builds/1', {}, 204, 204],
    ['GET /nowhere', {}, 404, 404],
    ['GET /', v3Header, 200, 200],
    ['POST /lint?content=script:', v3Header, 403, 200],
    ['GET /repo/1', v3Header, 403, 200],
    ['GET /repo/9', v3Header, 403, 404],
    ['GET /lint', page, 200, 200],
    ['GET /docs/lint', page, 200, 200],
    ['GET /', page, 401, 200],
    ['GET /auth/handshake', page, 302, 302],
    ['GET /auth/handshake?redirect_uri=https://elsewhere.example.org', {}, 401, 401],
    ['GET /auth/post_message?origin=https://elsewhere.example.org', {}, 403, 403],
    ['GET /auth/post_message/iframe?origin=https://elsewhere.example.org', {}, 403, 403],
    ['GET /auth/insufficient_access', {}, 200, 200],
    ['POST /auth/codehost', {}, 422, 422],
    ['POST /streaming/auth?socket_id=1.2&channels=job-1', {}, 200, 200],
    ['GET /docs', {}, 302, 302],
    ['GET /docs', page, 200, 200],
    ['GET /docs/v2.1', page, 200, 200],
    ['GET /docs/v2.1.json', {}, 200, 200],
    ['GET /docs/v3.json', v3Header, 200, 200],
    ['GET /uptime', {}, 200, 200],
    ['GET /health', {}, 200, 200],
  ])('%s %j is %d to anonymous callers, %d to others', async (asked, headers, without, with_) => {
    expect(await status(asked, headers)).toBe(without)
    expect(await status(asked, { ...headers, authorization: `token ${anna.token}` })).toBe(with_)
  })

  test('is reported as every missing login', async () => {
    const call = caller(await server)
    const legacy = await call('GET /builds/1')
    expect([legacy.body, legacy.headers['content-type']]).toEqual([
      'no access token supplied',
      'text/plain;charset=utf-8',
    ])
    expect((await call('GET /repo/1', v3Header)).json()).toEqual({
      '@type': 'error',
      error_type: 'login_required',
      error_message: 'login required',
    })
  })
})

describe('PUBLIC_MODE=false', () => {
  const ctx = testContext(db)
  const closed = createServer({ ...ctx, site: { ...ctx.site, publicMode: false } })
  const paths: [string, Record<string, string>][] = [
    ['/repos/1', {}],
    ['/builds/1', {}],
    ['/requests/1', {}],
    ['/requests?repository_id=1', {}],
    ['/repo/1', v3Header],
    ['/repo/1/branches', v3Header],
    ['/octavia/hello', page],
  ]

  test.each(paths)('hides %s %j from those without a role', async (path, headers) => {
    const member = await make.user()
    const [repository] = await db.selectFrom('repositories').selectAll().execute()
    if (repository) await make.permission(member, repository)
    const status = async (token?: string) => {
      const authorization = token === undefined ? {} : { authorization: `token ${token}` }
      const call = caller(await closed)
      return (await call(`GET ${path}`, { ...headers, ...authorization })).statusCode
    }
    expect(await Promise.all([status(), status(anna.token), status(member.token)])).toEqual([
      404, 404, 200,
    ])
  })

  test('an organization is named as an owner to those who are no members, and no more of it is shown', async () => {
    const acme = await make.organization('acme')
    const owned = { owner_type: 'Organization', owner_id: acme.id, owner_name: 'acme' } as const
    const hidden = await make.repository({ ...owned, name: 'web', private: true })
    await db
      .insertInto('installations')
      .values({ codehost_id: 3008, owner_type: 'Organization', owner_id: acme.id })
      .execute()
    const [reader, member] = [await make.user(), await make.user()]
    for (const user of [reader, member]) await make.permission(user, hidden, 'pull')
    await db
      .insertInto('memberships')
      .values({ user_id: member.id, organization_id: acme.id, role: 'member' })
      .execute()
    const include =
      'repository.owner,organization.installation,organization.repositories,installation.owner'
    const owner = async ({ token }: { token: string }) => {
      const headers = { ...v3Header, authorization: `token ${token}` }
      const answer = await caller(await closed)(
        `GET /repo/${hidden.id}?include=${include}`,
        headers,
      )
      return answer.json<{ owner: Record<string, unknown> }>().owner
    }
    expect(await owner(reader)).toEqual({
      '@type': 'organization',
      '@href': `/org/${acme.id}`,
      '@representation': 'minimal',
      '@permissions': expect.objectContaining({ read: false, write: false }) as object,
      id: acme.id,
      login: 'acme',
      name: acme.name,
      vcs_type: 'CodehostOrganization',
      ro_mode: false,
    })
    expect(await owner(member)).toMatchObject({
      '@representation': 'standard',
      codehost_id: acme.codehost_id,
      installation: { codehost_id: 3008 },
    })
  })

  test('lists only those on which the viewer has a role', async () => {
    const member = await make.user()
    const [repository] = await db.selectFrom('repositories').selectAll().execute()
    if (repository) await make.permission(member, repository)
    const home = async (token: string) => {
      const headers = { ...page, authorization: `token ${token}` }
      return (await caller(await closed)('GET /', headers)).body
    }
    expect(await home(anna.token)).not.toContain('/octavia/hello')
    expect(await home(member.token)).toContain('/octavia/hello')
  })
})

/**
 * Writes that need no scope of their own: they only read, or are about the token or the login that is
 * used, or about what a link or a code allows, or refuse by themselves every token that has limits.
 */
const writesWithoutScope = {
  'V2.1': [
    'GET /logout',
    'POST /auth/codehost',
    'POST /auth/handshake',
    'POST /auth/post_message',
    'POST /lint',
    'POST /streaming/auth',
    'POST /unsubscribe/:link',
    'PUT /lint',
  ],
  V3: [
    'DELETE /access_token',
    'DELETE /token/:token',
    'GET /logout',
    'PATCH /access_token',
    'POST /lint',
    'POST /repo/:provider/:repository/tokens',
    'POST /repo/:repository/tokens',
    'POST /tokens',
  ],
  pages: [
    'POST /docs/v3/:resource/:action',
    'POST /lint/check',
    'POST /logout',
    'POST /profile/feed_token',
    'POST /profile/revoke_all',
    'POST /profile/tokens',
    'POST /profile/tokens/:token/revoke',
    'POST /setup/app',
  ],
}

/** What the other writes of V3 need a token for, without the paths that name a provider. */
const writesOfV3 = {
  builds: [
    'POST /build/:build/cancel',
    'POST /build/:build/priority',
    'POST /build/:build/restart',
    'POST /build/:build/restart_failed',
    'POST /job/:job/cancel',
    'POST /job/:job/debug',
    'POST /job/:job/restart',
    'POST /repo/:repository/request/:preview',
    'POST /repo/:repository/request/:request/approve',
    'POST /repo/:repository/request/preview',
    'POST /repo/:repository/requests',
    'POST /request/:request/approve',
  ],
  settings: [
    'DELETE /cron/:cron',
    'DELETE /job/:job/log',
    'DELETE /org/:organization/account_env_var/:account_env_var',
    'DELETE /org/:organization/email_subscription',
    'DELETE /repo/:repository/caches',
    'DELETE /repo/:repository/email_subscription',
    'DELETE /repo/:repository/env_var/:env_var',
    'DELETE /repo/:repository/key_pair',
    'DELETE /user/:user/account_env_var/:account_env_var',
    'DELETE /user/:user/beta_feature/:beta_feature',
    'PATCH /org/:organization/account_env_var/:account_env_var',
    'PATCH /org/:organization/preference/:preference',
    'PATCH /preference/:preference',
    'PATCH /repo/:repository/env_var/:env_var',
    'PATCH /repo/:repository/key_pair',
    'PATCH /repo/:repository/setting/:setting',
    'PATCH /user/:user/account_env_var/:account_env_var',
    'PATCH /user/:user/beta_feature/:beta_feature',
    'POST /notification/:notification/resend',
    'POST /org/:organization/account_env_vars',
    'POST /org/:organization/email_subscription',
    'POST /repo/:repository/activate',
    'POST /repo/:repository/branch/:branch/cron',
    'POST /repo/:repository/deactivate',
    'POST /repo/:repository/email_subscription',
    'POST /repo/:repository/env_vars',
    'POST /repo/:repository/key_pair',
    'POST /repo/:repository/key_pair/generated',
    'POST /repo/:repository/star',
    'POST /repo/:repository/unstar',
    'POST /user/:user/account_env_vars',
    'POST /user/:user/sync',
  ],
  admin: [
    'POST /broadcasts',
    'POST /delivery/:delivery/replay',
    'POST /user/:user/block',
    'POST /user/:user/unblock',
  ],
}

/** What can be called without a login where everyone has to log in. */
const openPaths = {
  'V2.1': [
    'GET /',
    'GET /auth/handshake',
    'GET /auth/handshake/:provider',
    'GET /auth/insufficient_access',
    'GET /auth/post_message',
    'GET /auth/post_message/iframe',
    'GET /config',
    'GET /unsubscribe/:link',
    'POST /auth/codehost',
    'POST /auth/handshake',
    'POST /auth/post_message',
    'POST /lint',
    'POST /streaming/auth',
    'POST /unsubscribe/:link',
    'PUT /lint',
  ],
  V3: ['GET /'],
  pages: [
    'GET /docs',
    'GET /docs/lint',
    'GET /docs/lint/:code',
    'GET /docs/v2.1',
    'GET /docs/v3',
    'GET /docs/v3/:resource',
    'GET /docs/v3/:resource/:action',
    'GET /lint',
    'GET /lint/check',
    'GET /login',
    'GET /setup',
    'GET /setup/callback',
    'POST /docs/v3/:resource/:action',
    'POST /lint/check',
    'POST /setup/app',
  ],
}

const mounted = { 'V2.1': v2Endpoints, V3: v3Endpoints, pages }
const generations = ['V2.1', 'V3', 'pages'] as const

test.each(generations)('FORCE_AUTHENTICATION leaves only these open of %s', (generation) => {
  const open = mounted[generation]
    .filter(({ admission }) => admission.open)
    .flatMap(({ method, paths }) => paths.map((path) => `${method} ${withoutPatterns(path)}`))
  expect(open.toSorted()).toEqual(openPaths[generation])
})

describe('the scopes of a token', () => {
  const endpointOf = (scope: TokenScope) =>
    post(`/${scope}`, { scope, login: true, answer: () => ({ done: scope }) })
  const endpoints = (['read', 'builds', 'settings', 'admin'] as const).map(endpointOf)
  const legacy = smallApi(testContext(db), v2, endpoints)
  const current = smallApi(testContext(db), v3, endpoints)

  test.each<[string[], string[]]>([
    [
      ['public', 'private'],
      ['read', 'builds', 'settings', 'admin'],
    ],
    [['public'], ['read', 'builds', 'settings', 'admin']],
    [['public', 'read'], ['read']],
    [
      ['public', 'private', 'read', 'builds'],
      ['read', 'builds'],
    ],
  ])('%j are for %j', async (scopes, allowed) => {
    const authorization = `token ${await make.token(anna, scopes)}`
    for (const scope of ['read', 'builds', 'settings', 'admin']) {
      const answer = await (await legacy)(`POST /${scope}`, { authorization })
      expect([scope, answer.statusCode]).toEqual([scope, allowed.includes(scope) ? 200 : 403])
      expect(answer.headers['x-oauth-scopes']).toBe(
        scopes.includes('private') ? 'public,private' : 'public',
      )
    }
  })

  test('are named where one is missing', async () => {
    const authorization = `token ${await make.token(anna, ['public', 'read'])}`
    const refused = await (await legacy)('POST /builds', { authorization })
    expect([refused.statusCode, refused.body]).toEqual([403, 'insufficient access'])
    const answer = await (await current)('POST /builds', { ...v3Header, authorization })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { error_type: 'insufficient_access', permission: 'builds' },
    ])
  })

  const writesFor = (generation: (typeof generations)[number], scope: TokenScope) =>
    mounted[generation]
      .filter(({ method, acts }) => method !== 'GET' || acts)
      .filter(({ admission }) => admission.scope === scope)
      .flatMap(({ method, paths }) => paths.map((path) => `${method} ${withoutPatterns(path)}`))
      .toSorted()

  test.each(generations)('are named by every other write of %s', (generation) => {
    expect(writesFor(generation, 'read')).toEqual(writesWithoutScope[generation])
  })

  test.each(['builds', 'settings', 'admin'] as const)(
    'are %s for these writes of V3 only',
    (scope) => {
      const writes = writesFor('V3', scope).filter((path) => !path.includes('/:provider/'))
      expect(writes).toEqual(writesOfV3[scope])
    },
  )

  test('need a token that reads for the whole API', async () => {
    const authorization = `token ${await make.token(anna, ['public', 'builds'])}`
    const server = caller(await createServer(testContext(db)))
    expect((await server('GET /builds/1', { authorization })).statusCode).toBe(403)
    expect((await server('GET /builds/1')).statusCode).toBe(200)
  })
})

describe('a rate', () => {
  const rate = { name: 'notes', calls: 2, seconds: 60, of: 'anonymous' } as const
  const endpoints = [
    post('/notes', { rate, answer: () => ({ done: true }) }),
    post('/lists', { rate, answer: () => ({ done: true }) }),
  ]

  test('is shared by the endpoints of its name, and passes', async () => {
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

  test('of anonymous callers leaves others alone, and each network has its own', async () => {
    const call = await smallApi(testContext(db), v2, endpoints)
    const authorization = `token ${anna.token}`
    for (let count = 0; count < 4; count += 1) {
      expect((await call('POST /notes', { authorization })).statusCode).toBe(200)
    }
    expect((await call('POST /notes')).statusCode).toBe(200)
  })

  test('of what needs a login belongs to users, and no one else uses it up', async () => {
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

  test('lets an address without a token make 500 calls a minute, and leaves users and pages alone', async () => {
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
    expect((await call('GET /', page)).statusCode).toBe(200)
  })

  test('counts calls with a wrong token as well', async () => {
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

test('every log of a job that is read anonymously counts', () => {
  const of = (method: Method, path: string) =>
    v2Endpoints.find((endpoint) => endpoint.method === method && endpoint.paths.includes(path))
  expect(of('GET', '/jobs/:job/log')?.admission.rate).toMatchObject({ of: 'anonymous' })
})
