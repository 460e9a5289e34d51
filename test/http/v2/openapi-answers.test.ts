import { beforeAll, describe, expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import { createServer } from '../../../src/http/server.ts'
import { writeMailLink } from '../../../src/secrets/mail-link.ts'
import { testContext, testSealer } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { callIn, callsAt, endpointsOf, isFirst, keepAll } from '../endpoints.ts'
import { variableOf } from '../endpoints/keep.ts'
import type { Words } from '../endpoints/paths.ts'
import { judgeOf, shapeOf } from '../openapi.ts'
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
  await keepAll(db, repository_id)
})

/** What paths name here. */
const words: Words = {
  ...{ owner: 'octavia', name: 'hello', '*': 'main', provider: 'codehost' },
  env_var: variableOf(1),
}

const endpoints = endpointsOf('v2')
/** Pages, which are called below, and what revokes the token. */
const others = /^\/(?:auth|logout|unsubscribe)/
/** Each read by its path in the document, with its call. */
const reads = endpoints
  .filter(({ method, path }) => method === 'GET' && !others.test(path))
  .map((endpoint) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{branch}')
    return [path, `GET ${callIn(endpoint, words)}`] as const
  })

/** Each further call that a row has, with its status and its body. */
const further = endpoints.filter(isFirst).flatMap((endpoint) =>
  callsAt(endpoint, Object.entries(endpoint.row.answers ?? {}), words).flatMap(([path, sent]) =>
    [sent].flat().map((each) => {
      const [status, body] = typeof each === 'number' ? [each] : each
      return [`${endpoint.method} ${path}`, status, body] as const
    }),
  ),
)

/** The types of a successful answer, as the document has them for a path. */
function typesOf(path: string): string[] {
  const [, operations] =
    Object.entries(document.paths).find(([documented]) => shapeOf(documented) === shapeOf(path)) ??
    []
  return Object.keys(operations?.get?.responses[200]?.content ?? {})
}

const typed = reads.flatMap(([path, asked]) => typesOf(path).map((type) => [asked, type] as const))

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

describe('a response matches the document', () => {
  test.each(reads)('GET %s', async (_path, asked) => {
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

  test.each(typed)('for %s as %s if no other type is accepted', async (asked, type) => {
    const accept = type.replace(/;.*/, '')
    const headers = { accept, authorization: `token ${world.people.admin.token}` }
    const { statusCode, headers: sent } = await call(asked, headers)
    expect([statusCode, sent['content-type']]).toEqual([200, type])
  })

  test.each(reads)('for a missing record: GET %s', async (_path, read) => {
    const asked = read.replaceAll(/\b1\b/g, '9').replace('hello', 'none')
    for (const token of [world.people.admin.token, undefined]) {
      expect(await judged(asked, token)).toMatchObject({ asked, problems: [] })
    }
  })

  test.each(further)('for %s, which is %d', async (asked, status, body) => {
    expect(await judged(asked, world.people.admin.token, body)).toEqual({
      asked,
      status,
      problems: [],
    })
  })

  test('for a link in a mail', async () => {
    const { open, people } = world
    const link = writeMailLink(testSealer, {
      user_id: people.admin.id,
      repository_id: open.repository.id,
    })
    for (const asked of [`GET /unsubscribe/${link}`, `POST /unsubscribe/${link}`]) {
      expect(await judged(asked, undefined)).toEqual({ asked, status: 200, problems: [] })
    }
  })

  test.each(['/jobs/1/log.txt', '/jobs/1/logs.txt'])('for %s as JSON', async (path) => {
    const { statusCode, body } = await call(`GET ${path}`, { accept: 'application/json' })
    expect([statusCode, body]).toEqual([406, ''])
    expect(problemsOf({ method: 'GET', path, status: 406, body })).toEqual([])
  })

  test('for a sync, and for a sync that is already running', async () => {
    const { token } = world.people.stranger
    expect(await judged('POST /users/sync', token)).toMatchObject({ status: 200, problems: [] })
    expect(await judged('POST /users/sync', token)).toMatchObject({ status: 409, problems: [] })
  })

  test('for a new token, and for a logout', async () => {
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

test('every successful response in JSON has a described schema', () => {
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
