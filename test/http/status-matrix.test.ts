import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { noon, testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { withRoutes } from '../support/routes.ts'
import { caller, unlimited } from './door.ts'
import {
  accept,
  callers,
  callsOf,
  endpointsOf,
  finishedOf,
  generations,
  headersOf,
  isBelowRepository,
  isFirst,
  rowsInV2,
  rowsOf,
  statusRows,
} from './endpoints.ts'
import { expectNone, lacking, rowToAdd } from './endpoints/row-to-add.ts'
import { ofAll, type Statuses } from './endpoints/statuses.ts'
import { fillRepositories, headersFor, privacies, statusOf, type Tokens } from './status-scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { server, routes } = await withRoutes(() =>
  createServer({ ...testContext(db), rates: unlimited }),
)
const call = caller(server)

const tokens: Tokens = {}
const status = statusOf(db, server, tokens)

beforeAll(async () => {
  const member = await make.user('member')
  const other = await make.user('other')
  Object.assign(tokens, { member: member.token, other: other.token })
  const repositories = []
  for (const [index, hidden] of privacies.entries()) {
    const name = `r${index + 1}`
    const repository = await make.repository({ name, private: hidden.repository })
    await make.permission(member, repository, 'admin')
    repositories.push(repository)
  }
  await fillRepositories(db, repositories)
  const acme = await make.organization('acme')
  await make.membership(member, acme, 'admin')
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' }, { codehost_id: 1 })
  const elsewhere = await make.repository({ id: 99, name: 'elsewhere' })
  await make.permission(member, elsewhere, 'admin')
  const limited = await call(
    `POST /tokens?name=a&scopes=read,builds,settings,admin&repositories=${elsewhere.id}`,
    headersFor(tokens, 'member', { 'service-api-version': '3' }),
  )
  tokens['limited'] = limited.json<{ token: string }>().token
})

test.each(generations)('every endpoint of %s is in the matrix', (generation) => {
  const mounted = routes.filter((route) => route.generation === generation)
  const rows = endpointsOf(generation).map(({ name }) => name)
  const missing = mounted
    .filter(({ method, path }) => !rows.includes(`${method} ${path}`))
    .map(({ method, path }) => rowToAdd(generation, method, path))
  expectNone(missing)
  expect(rows.toSorted()).toEqual(mounted.map(({ method, path }) => `${method} ${path}`).toSorted())
})

test.each(generations)('every row of %s has all values that other tests need', (generation) => {
  expectNone(endpointsOf(generation).flatMap(lacking))
})

describe.each(generations)('in %s', (generation) => {
  test.each(rowsOf(generation))(
    '$asked is $expected for $who',
    async ({ asked, who, expected }) => {
      expect(await status(asked, who, headersOf[generation])).toBe(expected)
    },
  )
})

const { privateKey } = generateKeyPairSync('ed25519')
const sshKey = encodeURIComponent(String(privateKey.export({ type: 'pkcs8', format: 'pem' })))

/** Of lists: what is no row of one record. */
const selections: readonly [call: string, statuses: Statuses][] = [
  ['GET /builds', [400, 400, 400]],
  ['GET /builds?number=1', [400, 400, 400]],
  ['GET /jobs', [400, 400, 400]],
  ['GET /builds?running=true', [200, 200, 200]],
]

describe.each(['2.1', '2'])('in V%s, for finished builds', (version) => {
  const rows = endpointsOf('v2')
    .filter(isFirst)
    .flatMap((endpoint) => {
      const [path, statuses] = finishedOf(endpoint) ?? ['', []]
      return statusRows(`${endpoint.method} ${path}`, statuses).map((row) => ({
        ...row,
        shown: `${endpoint.method} ${path.split('?')[0]} of ${row.id}`,
      }))
    })

  test.each(rows)('$shown is $expected for $who', async ({ asked, who, expected }) => {
    for (const table of ['builds', 'jobs'] as const) {
      await db.updateTable(table).set({ state: 'passed', finished_at: noon }).execute()
    }
    await db.updateTable('logs').set({ removed_at: null }).execute()
    const call = asked.replace('{ssh_key}', sshKey)
    expect(await status(call, who, { accept: accept(version) })).toBe(expected)
  })

  test.each(selections)(
    '%s is %j for a member, another user and no one',
    async (asked, expected) => {
      const found = []
      for (const who of callers) found.push(await status(asked, who, { accept: accept(version) }))
      expect(found).toEqual(expected)
    },
  )
})

test('running builds are those of the caller’s repositories', async () => {
  await db.updateTable('builds').set({ state: 'started', started_at: noon }).execute()
  const found = []
  for (const who of callers) {
    const headers = headersFor(tokens, who, { accept: accept('2.1') })
    const answer = await call('GET /builds?running=true', headers)
    found.push(answer.json<{ builds: { id: number }[] }>().builds.map(({ id }) => id))
  }
  await db.updateTable('builds').set({ state: 'created', started_at: null }).execute()
  expect(found).toEqual([[4, 3, 2, 1], [], []])
})

describe('a member’s token for another repository only', () => {
  const isOwn = /^\w+ \/repo\/.*\/(?:un)?(?:star|email_subscription)$/
  const rows = endpointsOf(...generations)
    // It sees its user; for those on tokens nothing is looked up.
    .filter((endpoint) => isBelowRepository(endpoint) && !/\/(?:tokens|:user)$/.test(endpoint.path))
    .flatMap((endpoint) =>
      callsOf(endpoint).map((path) => ({
        generation: endpoint.generation,
        template: `${endpoint.method} ${path}`,
        // What is the user's own, wherever it is, such a token does not change at all.
        expected: endpoint.row.statuses.map(([, other]) =>
          isOwn.test(endpoint.name) ? 403 : other,
        ),
      })),
    )

  test.each(rows)(
    'allows no more than a stranger in $generation: $template',
    async ({ generation, template, expected }) => {
      const found: number[] = []
      for (const id of ['1', '2', '3', '4', '5']) {
        const asked = template.replaceAll('{id}', id)
        found.push(await status(asked, 'limited', headersOf[generation]))
      }
      expect(found).toEqual(expected)
    },
  )
})

describe('in V2', () => {
  test.each(rowsInV2())('$asked is $expected for $who', async ({ asked, who, expected }) => {
    expect(await status(asked, who, { accept: accept('2') })).toBe(expected)
  })
})

describe('an invalid token', () => {
  const rows = (['v2', 'v3'] as const).flatMap((generation) =>
    rowsOf(generation).map(({ asked }) => [generation, asked] as const),
  )
  test.each([...new Map(rows.map((row) => [row.join(' '), row])).values()])(
    'in %s: %s is 403',
    async (generation, asked) => {
      const sent = { ...headersOf[generation], authorization: 'token none' }
      expect((await call(asked, sent)).statusCode).toBe(403)
    },
  )
})

describe('hidden records look exactly like missing records', () => {
  const guarded = endpointsOf(...generations)
    .filter(({ row }) => row.statuses !== ofAll)
    .flatMap((endpoint) =>
      callsOf(endpoint)
        .filter((path) => path.includes('{id}'))
        .map((path) => [endpoint.generation, `${endpoint.method} ${path}`] as const),
    )

  test.each(guarded)('in %s: %s', async (generation, template) => {
    const answers = await Promise.all(
      [2, 5].map(async (id) => {
        const asked = template.replaceAll('{id}', String(id))
        const { statusCode, headers, body } = await call(asked, headersOf[generation])
        const { date: _date, 'content-length': _length, ...others } = headers
        // V2.1 repeats the id of a job that it could not find, and a page its own address.
        const same = body.replace(`(${id})`, '(#)').replace(/\/login\?to=[^"]*/, '/login')
        return { statusCode, others, body: same }
      }),
    )
    expect(answers[0]).toEqual(answers[1])
  })
})

test('V2 refuses anonymous viewers in plain text', async () => {
  const answer = await call('GET /builds/2', { accept: accept('2') })
  expect([answer.statusCode, answer.body]).toEqual([401, 'no access token supplied'])
  expect(answer.headers['content-type']).toBe('text/plain;charset=utf-8')
})

test('V2 reports unknown paths as missing, without a login', async () => {
  const answer = await call('GET /nowhere', { accept: accept('2') })
  expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
})
