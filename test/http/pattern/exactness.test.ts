import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const v3 = { 'service-api-version': '3' }
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const wrong = { authorization: 'token wrong' }

let member: User & { token: string }
beforeAll(async () => {
  const hello = await make.repository({ name: 'hello' })
  await make.job({ build: await make.build({ repository: hello }) })
  member = await make.user('member')
})

describe('only GET returns pages', () => {
  test('a browser that posts to the linter gets a response of the API', async () => {
    const answer = await call('POST /lint', browser, 'foo: bar\nscript: make\n')
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json()).toMatchObject({ lint: { warnings: [{ key: ['foo'] }] } })
    expect((await call('GET /lint', browser)).headers['content-type']).toMatch(/^text\/html/)
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
    '%s to the address of a page gets a response of the API',
    async (method) => {
      const answer = await call(`${method} /octavia/hello`, browser)
      expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
    },
  )
})

describe('credentials are checked first', () => {
  test.each([
    'GET /?callback=a(b',
    'GET /builds/1?callback=a-b&token=x',
    'GET /v3',
    'GET /nowhere',
    'POST /lint?include=zzz',
    'OPTIONS /none',
  ])('%s with a wrong token', async (asked) => {
    const answer = await call(asked, wrong)
    expect([asked, answer.statusCode]).toEqual([asked, asked.startsWith('OPTIONS') ? 204 : 403])
  })

  test('before the name of a callback', async () => {
    const answer = await call('GET /builds/1?callback=a(b')
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
      400,
      'Bad Request',
      'text/plain;charset=utf-8',
    ])
  })
})

test.each([
  ['/v3', '/v3/'],
  ['/v3?a=1&b=%20', '/v3/?a=1&b=%20'],
])('%s redirects to %s', async (from, to) => {
  const answer = await call(`GET ${from}`)
  expect([answer.statusCode, answer.headers.location]).toEqual([307, to])
})

test.each(['/repos/1.json', '/builds/1.json', '/jobs/1.json'])('%s is JSON', async (path) => {
  const [answer, plain] = [
    await call(`GET ${path}`, browser),
    await call(`GET ${path.slice(0, -5)}`),
  ]
  expect([answer.statusCode, answer.body]).toEqual([200, plain.body])
})

describe('responses of V3 are indented', () => {
  test.each([
    'GET /',
    'GET /repo/1',
    'GET /repo/1/branches',
    'GET /repo/9',
    'POST /lint?content=a',
  ])('%s', async (asked) => {
    const answer = await call(asked, v3)
    expect(answer.body).toBe(JSON.stringify(answer.json(), null, 2))
    expect(answer.body).toContain('\n  "')
  })

  test('those of V2.1 are not, unless it is requested', async () => {
    expect((await call('GET /builds/1')).body).not.toContain('\n')
  })
})

test.each([
  ['limit=1234567890123456', 100],
  ['limit=12345678901234567890', 100],
  ['limit=-12345678901234567890', 25],
  ['limit=2&offset=12345678901234567890', 2],
])('V3 takes integers of any length: %s', async (query, limit) => {
  const answer = await call(`GET /repo/1/branches?${query}`, v3)
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { '@pagination': { limit } }])
})

test('many attributes can be included', async () => {
  const names = Array.from({ length: 1500 }, (_each, index) => `type${index}.a`)
  const include = names.slice(0, 900).join(',')
  expect((await call(`GET /repo/1?include=${include}`, v3)).statusCode).toBe(200)
  const repeated = names.slice(0, 1200).map((name) => `include=${name}`)
  expect((await call(`GET /repo/1?${repeated.join('&')}`, v3)).statusCode).toBe(200)
})

describe('a repository', () => {
  test('is missing without its owner', async () => {
    const lost = await make.repository({ owner_name: 'gone', name: 'lost' })
    await make.build({ repository: lost })
    const paths = [`/repos/${lost.id}`, '/repos/gone/lost', '/builds/2', '/requests/2']
    const statuses = async (of: string[], headers: Record<string, string> = {}) =>
      Promise.all(of.map(async (path) => (await call(`GET ${path}`, headers)).statusCode))
    expect(await statuses(paths)).toEqual([200, 200, 200, 200])
    await db.deleteFrom('users').where('id', '=', lost.owner_id).execute()
    expect(await statuses(paths)).toEqual([404, 404, 404, 404])
    expect(await statuses([`/repo/${lost.id}`, '/repo/gone%2Flost'], v3)).toEqual([404, 404])
  })

  test('of two providers is found at the code host, unless the viewer can only see the other repository', async () => {
    const found = async (headers: Record<string, string> = {}) => {
      const { id } = (await call('GET /repo/twin%2Fapp', { ...v3, ...headers })).json<{
        id: number
      }>()
      return id
    }
    const local = await make.repository({ provider: 'local', owner_name: 'twin', name: 'app' })
    expect(await found()).toBe(local.id)
    const owner_id = (await make.user('twin')).id
    const hosted = await make.repository({ owner_id, owner_name: 'twin', name: 'app' })
    await db
      .updateTable('repositories')
      .set({ updated_at: new Date('2030-01-01') })
      .where('id', '=', local.id)
      .execute()
    expect(await found()).toBe(hosted.id)
    await db
      .updateTable('repositories')
      .set({ private: true })
      .where('id', '=', hosted.id)
      .execute()
    expect(await found()).toBe(local.id)
    await make.permission(member, hosted)
    expect(await found({ authorization: `token ${member.token}` })).toBe(hosted.id)
  })
})
