import { beforeAll, describe, expect, test } from 'vitest'
import type { TokenScope } from '../../../src/access/scopes.ts'
import type { User } from '../../../src/domain/owner.ts'
import { post } from '../../../src/http/core/endpoint.ts'
import { pages } from '../../../src/http/pages/index.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { v3 } from '../../../src/http/v3/core/mount.ts'
import { v3Endpoints } from '../../../src/http/v3/endpoints.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { withoutPatterns } from '../../support/routes.ts'
import { caller } from '../door.ts'
import { endpointsOf } from '../endpoints.ts'
import type { Row } from '../endpoints/row.ts'
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
  ])('%s %j is %d for anonymous callers, %d for others', async (asked, headers, without, with_) => {
    expect(await status(asked, headers)).toBe(without)
    expect(await status(asked, { ...headers, authorization: `token ${anna.token}` })).toBe(with_)
  })

  test('is reported like every missing login', async () => {
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

  test.each(paths)('hides %s %j from users without a role', async (path, headers) => {
    const member = await make.user()
    const [repository] = await db
      .selectFrom('repositories')
      .selectAll()
      .where('name', '=', 'hello')
      .execute()
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

  test('shows users who are not members only the name of an organization that owns a repository', async () => {
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

  test('lists only repositories on which the viewer has a role', async () => {
    const member = await make.user()
    const [repository] = await db
      .selectFrom('repositories')
      .selectAll()
      .where('name', '=', 'hello')
      .execute()
    if (repository) await make.permission(member, repository)
    const home = async (token: string) => {
      const headers = { ...page, authorization: `token ${token}` }
      return (await caller(await closed)('GET /', headers)).body
    }
    expect(await home(anna.token)).not.toContain('/octavia/hello')
    expect(await home(member.token)).toContain('/octavia/hello')
  })
})

const generations = ['V2.1', 'V3', 'pages'] as const
type Generation = (typeof generations)[number]

const mounted = { 'V2.1': v2Endpoints, V3: v3Endpoints, pages }
const tables = { 'V2.1': 'v2', V3: 'v3', pages: 'page' } as const

type Mounted = (typeof v2Endpoints)[number]

/** The mounted endpoints of a generation that are like this. */
function those(generation: Generation, isOne: (endpoint: Mounted) => boolean): string[] {
  return mounted[generation]
    .filter(isOne)
    .flatMap(({ method, paths }) => paths.map((path) => `${method} ${withoutPatterns(path)}`))
    .toSorted()
}

/** Those whose rows are like this. */
function listed(generation: Generation, isOne: (row: Row) => boolean): string[] {
  return endpointsOf(tables[generation])
    .filter(({ row }) => isOne(row))
    .map(({ name }) => name)
    .toSorted()
}

test.each(generations)(
  'FORCE_AUTHENTICATION keeps only certain endpoints of %s open',
  (generation) => {
    const open = those(generation, ({ admission }) => admission.open)
    expect(open).toEqual(listed(generation, (row) => row.open ?? false))
  },
)

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
  ])('%j allow %j', async (scopes, allowed) => {
    const authorization = `token ${await make.token(anna, scopes)}`
    for (const scope of ['read', 'builds', 'settings', 'admin']) {
      const answer = await (await legacy)(`POST /${scope}`, { authorization })
      expect([scope, answer.statusCode]).toEqual([scope, allowed.includes(scope) ? 200 : 403])
      expect(answer.headers['x-oauth-scopes']).toBe(
        scopes.includes('private') ? 'public,private' : 'public',
      )
    }
  })

  test('lead to an error with the missing scope', async () => {
    const authorization = `token ${await make.token(anna, ['public', 'read'])}`
    const refused = await (await legacy)('POST /builds', { authorization })
    expect([refused.statusCode, refused.body]).toEqual([403, 'insufficient access'])
    const answer = await (await current)('POST /builds', { ...v3Header, authorization })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      403,
      { error_type: 'insufficient_access', permission: 'builds' },
    ])
  })

  const writes = ({ method, acts }: Mounted) => method !== 'GET' || acts

  /**
   * The others only read, or are about the token or the login that is used, or about what a link or a code
   * allows, or refuse by themselves every token that has limits.
   */
  test.each(generations)(
    'are needed by each write of %s, except those listed without a scope',
    (generation) => {
      const found = those(generation, (each) => writes(each) && each.admission.scope === 'read')
      expect(found).toEqual(listed(generation, ({ scope }) => scope === 'none'))
    },
  )

  test.each(
    (['builds', 'settings', 'admin'] as const).flatMap((scope) =>
      generations.map((generation) => [scope, generation] as const),
    ),
  )('need %s for certain writes of %s only', (scope, generation) => {
    const found = those(generation, (each) => writes(each) && each.admission.scope === scope)
    expect(found).toEqual(listed(generation, (row) => row.scope === scope))
  })

  test('need "read" for the whole API', async () => {
    const authorization = `token ${await make.token(anna, ['public', 'builds'])}`
    const server = caller(await createServer(testContext(db)))
    expect((await server('GET /builds/1', { authorization })).statusCode).toBe(403)
    expect((await server('GET /builds/1')).statusCode).toBe(200)
  })
})
