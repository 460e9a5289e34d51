import { beforeAll, describe, expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import { createServer } from '../../../src/http/server.ts'
import { writeMailLink } from '../../../src/secrets/mail-link.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { judgeOf } from '../openapi.ts'
import { makeWorld, type World } from '../v3/world.ts'

const { db } = await ownDatabase()
const call = caller(await createServer(testContext(db)))
const document = (await call('GET /docs/v2.1.json')).json<OpenApi>()
const { problemsOf } = judgeOf(document)

let world: World
beforeAll(async () => {
  world = await makeWorld(db)
  const { repository } = world.open
  await db
    .updateTable('jobs')
    .set({ state: 'started', finished_at: null })
    .where('id', '=', 3)
    .execute()
  await db
    .updateTable('builds')
    .set({ state: 'started', finished_at: null })
    .where('id', '=', 3)
    .execute()
  const { id: repository_id } = repository
  await db
    .insertInto('caches')
    .values({ repository_id, branch: 'main', slug: 'a', object_key: 'a', size: 1 })
    .execute()
  await db.insertInto('broadcasts').values({ message: 'hello' }).execute()
  await db
    .insertInto('ssh_keys')
    .values({ repository_id, fingerprint: null, sealed_value: 'sealed' })
    .execute()
})

/** Where a login may be handed over to, and where not. */
const ours = encodeURIComponent('https://ci.example.org/after')
const theirs = encodeURIComponent('https://evil.example/')

/** Variables of the paths. */
const samples: Readonly<Record<string, string>> = {
  owner: 'octavia',
  name: 'hello',
  provider: 'codehost',
  branch: 'main',
  env_var: '00000000-0000-4000-8000-000000000001',
}

/** Endpoints that need to be told what they are about. */
const queries: Readonly<Record<string, string>> = {
  '/requests': '?repository_id=1',
  '/jobs': '?state=passed',
  '/builds': '?repository_id=1',
  '/branches': '?repository_id=1',
  '/settings/env_vars': '?repository_id=1',
  '/repos/settings/env_vars': '?repository_id=1',
}

const addressOf = (path: string) =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => samples[name] ?? '1') +
  (queries[path] ?? '')

async function judged(asked: string, token: string | undefined, body?: object | string) {
  const { empty: _empty, ...judgement } = await judgedWithLists(asked, token, body)
  return judgement
}

/** The same with the names of its lists that show nothing, of which nothing could be wrong. */
async function judgedWithLists(asked: string, token: string | undefined, body?: object | string) {
  const headers = {
    accept: 'application/vnd.service.2.1+json, */*;q=0.5',
    ...(token === undefined ? {} : { authorization: `token ${token}` }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  }
  const sent = typeof body === 'object' ? JSON.stringify(body) : body
  const answer = await call(asked, headers, sent)
  const type = answer.headers['content-type']
  const [method = '', path = ''] = asked.split(' ')
  const shown: unknown = String(type).includes('json') ? JSON.parse(answer.body) : answer.body
  const status = answer.statusCode
  const problems = problemsOf({ method, path, status, type: type?.toString(), body: shown })
  return { asked, status, problems, empty: emptyListsIn(shown) }
}

function emptyListsIn(body: unknown): string[] {
  return Object.entries(Object(body)).flatMap(([name, value]) =>
    Array.isArray(value) && value.length === 0 ? [name] : [],
  )
}

const reads = Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [path] : []))
/** Pages, which are called below, and what revokes the token. */
const others = /^\/(?:auth|logout|unsubscribe)/

describe('an answer is as the document says', () => {
  test.each(reads.filter((path) => !others.test(path)))('GET %s', async (path) => {
    const asked = `GET ${addressOf(path)}`
    expect(await judgedWithLists(asked, world.people.admin.token)).toEqual({
      asked,
      status: 200,
      problems: [],
      empty: [],
    })
    for (const token of [world.people.stranger.token, undefined, 'none']) {
      expect(await judged(asked, token)).toMatchObject({ asked, problems: [] })
    }
  })

  test.each(reads.filter((path) => !others.test(path)))(
    'GET %s of what is not there',
    async (path) => {
      const asked = `GET ${addressOf(path).replaceAll(/\b1\b/g, '9').replace('hello', 'none')}`
      for (const token of [world.people.admin.token, undefined]) {
        expect(await judged(asked, token)).toMatchObject({ asked, problems: [] })
      }
    },
  )

  test.each([
    ['GET /logs/1?chunked', 200],
    ['GET /repos?ids=1,2', 200],
    ['GET /builds?ids=1,2,3', 200],
    ['GET /builds', 400],
    ['POST /lint?content=scirpt:', 200],
    ['PUT /lint?content=scirpt:', 200],
    ['POST /streaming/auth?socket_id=1.2&channels=job-1', 200],
    ['PUT /users/1?user.locale=en', 200],
    ['PUT /users/1?user.locale=1', 422],
    ['PATCH /repos/1/settings', 200, { settings: { build_pushes: false } }],
    ['PATCH /repos/1/settings', 422, { settings: { build_pushes: [] } }],
    ['POST /repos/1/key', 200],
    ['POST /settings/env_vars?repository_id=1', 200, { env_var: { name: 'A', public: true } }],
    ['POST /settings/env_vars?repository_id=1', 422, { env_var: {} }],
    [`PATCH /settings/env_vars/${samples.env_var}`, 200, { env_var: { public: true } }],
    [`DELETE /settings/env_vars/${samples.env_var}`, 200],
    [`DELETE /settings/env_vars/${samples.env_var}`, 404],
    ['PATCH /settings/ssh_key/1', 422, { ssh_key: { value: 'no key' } }],
    ['DELETE /settings/ssh_key/1', 200],
    ['PUT /hooks/1?hook[active]=true', 200],
    ['PUT /hooks/9', 404],
    ['DELETE /repos/1/caches', 200],
    ['POST /jobs/3/cancel', 204],
    ['POST /jobs/3/cancel', 422],
    ['POST /builds/1/restart', 202],
    ['POST /builds/1/restart', 400],
    ['POST /builds/1/cancel', 204],
    ['POST /builds/1/cancel', 422],
    ['POST /jobs/2/restart', 202],
    ['PATCH /jobs/2/log', 409],
    ['PATCH /logs/1', 200],
    ['PATCH /jobs/1/log', 409],
    ['POST /auth/codehost', 422],
    ['PATCH /repos/1/settings', 400, '{'],
    ['PATCH /settings/ssh_key/1', 400, '{'],
    ['POST /settings/env_vars?repository_id=1', 400, '{'],
    ['GET /auth/handshake', 302],
    ['GET /auth/handshake/codehost', 302],
    ['GET /auth/handshake/local', 200],
    ['GET /auth/handshake/nope', 404],
    [`GET /auth/handshake?redirect_uri=${ours}`, 200],
    [`GET /auth/handshake?redirect_uri=${theirs}`, 401],
    ['POST /auth/handshake', 403],
    [`POST /auth/handshake?redirect_uri=${theirs}`, 401],
    ['GET /auth/post_message', 403],
    [`GET /auth/post_message?origin=${ours}`, 200],
    ['GET /auth/post_message/iframe', 403],
    [`GET /auth/post_message/iframe?origin=${ours}`, 200],
    ['POST /auth/post_message', 403],
    ['GET /auth/insufficient_access', 200],
    ['GET /unsubscribe/x', 404],
    ['POST /unsubscribe/x', 404],
  ] as const)('%s, which is %d', async (asked, status, body?: object | string) => {
    expect(await judged(asked, world.people.admin.token, body)).toEqual({
      asked,
      status,
      problems: [],
    })
  })

  test('of a link in a mail', async () => {
    const { open, people } = world
    const link = writeMailLink(testSealer, {
      user_id: people.admin.id,
      repository_id: open.repository.id,
    })
    for (const asked of [`GET /unsubscribe/${link}`, `POST /unsubscribe/${link}`]) {
      expect(await judged(asked, undefined)).toEqual({ asked, status: 200, problems: [] })
    }
  })

  test.each(['/jobs/1/log.txt', '/jobs/1/logs.txt'])('of %s as JSON', async (path) => {
    const { statusCode, body } = await call(`GET ${path}`, { accept: 'application/json' })
    expect([statusCode, body]).toEqual([406, ''])
    expect(problemsOf({ method: 'GET', path, status: 406, body })).toEqual([])
  })

  test('of a sync, and of one that is under way', async () => {
    const { token } = world.people.stranger
    expect(await judged('POST /users/sync', token)).toMatchObject({ status: 200, problems: [] })
    expect(await judged('POST /users/sync', token)).toMatchObject({ status: 409, problems: [] })
  })

  test('of a new token, and of a login that ends', async () => {
    const token = await world.token()
    const asked = 'POST /auth/codehost'
    expect(await judged(asked, undefined, { codehost_token: token })).toEqual({
      asked,
      status: 200,
      problems: [],
    })
    expect(await judged('GET /logout', token)).toMatchObject({ status: 200, problems: [] })
  })
})

test('every answer in JSON is described', () => {
  const vague = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, { content = {} }]) => Object.values(content))
        .filter(({ schema }) => schema.type === 'object' && schema.properties === undefined)
        .map(() => `${method} ${path}`),
    ),
  )
  expect(vague).toEqual([])
})
