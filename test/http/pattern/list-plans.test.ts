import { beforeAll, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Endpoints } from '../../../src/http/v3/endpoints.ts'
import { hashToken, newToken } from '../../../src/secrets/token.ts'
import { createClient } from '../../../src/store/sql/client.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { manyBuilds, manyDeliveries } from '../../support/many-builds.ts'
import { planOf } from '../../support/query-plan.ts'
import { withoutPatterns } from '../../support/routes.ts'
import type { Statement } from '../../support/sent-statements.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'
import { endpointsOf, readsOfAdministrators, readsOfMany } from '../endpoints.ts'
import { reached } from '../endpoints/paths.ts'

const { db, connection } = await freshDatabase()
const ctx = testContext(db)
const call = caller(await createServer(ctx))
const site = { ...ctx.site, admins: ['codehost:reader'] }
const administer = caller(await createServer({ ...ctx, site }))
const client = createClient(connection)
const token = newToken()

beforeAll(async () => {
  await client.connect()
  const statements = [...manyBuilds(20_000, hashToken(token)), ...manyDeliveries(20_000)]
  for (const statement of statements) await client.query(statement)
  return () => client.end()
}, 120_000)

/** The tables that grow with every push, and with every change that people make. */
const large = [
  'builds',
  'jobs',
  'requests',
  'commits',
  'logs',
  'log_parts',
  'deliveries',
  'audit_records',
]

const callers = { 'a user': { authorization: `token ${token}` }, 'no one': {} }

/** How many pages of the database a statement may read that lists rows, and one that counts them. */
interface Most {
  listed: number
  counted: number
}

/** The first repository has thousands of rows, of which a page shows a hundred at most. */
const ofOnePage = { listed: 250, counted: Infinity }

/** For those with a role an index tells how many there are: they see all of them. */
const ofOneIndex = { listed: 250, counted: 60 }

const anyNumber = { listed: Infinity, counted: Infinity }

/** Plans the statements of a call again, which must be a copy: what this sends is watched as well. */
async function expectGoodPlans(statements: readonly Statement[], most: Most): Promise<void> {
  for (const statement of statements) {
    if (!/^(?:select|with) /.test(statement.text)) continue
    const { scanned, buffers } = await planOf(client, statement)
    expect(scanned.filter((table) => large.includes(table))).toEqual([])
    expect(buffers).toBeLessThan(statement.text.includes('count(*)') ? most.counted : most.listed)
  }
}

test.each(readsOfMany.flatMap((path) => Object.keys(callers).map((who) => [path, who] as const)))(
  'GET %s of %s reads no large table completely',
  async (path, who) => {
    const sent = watchStatements()
    const { statusCode } = await call(`GET ${path}`, callers[who as keyof typeof callers])
    expect(statusCode).toBeOneOf(who === 'a user' ? [200] : [200, 401, 403])
    const ofOne = who === 'a user' ? ofOneIndex : ofOnePage
    await expectGoodPlans([...sent], path.startsWith('/v3/repo/1/') ? ofOne : anyNumber)
  },
)

test.each(readsOfAdministrators)(
  'GET %s of an administrator reads no large table completely',
  async (path) => {
    const sent = watchStatements()
    const { statusCode } = await administer(`GET ${path}`, callers['a user'])
    expect(statusCode).toBe(200)
    await expectGoodPlans([...sent], ofOnePage)
  },
)

test('every endpoint that reads is tested here, or reads few rows', () => {
  for (const [generation, mounted] of [
    ['v2', v2Endpoints],
    ['v3', v3Endpoints],
  ] as const) {
    const rows = endpointsOf(generation)
    const reading = mounted
      .filter(({ method, acts }) => method === 'GET' && !acts)
      .flatMap(({ paths }) => paths.map((path) => `GET ${withoutPatterns(path)}`))
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(reading))
    const elsewhere = rows.flatMap(({ paths, row: { plans = '' } }) =>
      [plans].flat().filter((call) => call.startsWith('/') && !reached(paths, call)),
    )
    expect(elsewhere).toEqual([])
  }
})

/** What `@pagination` says of the builds that the user triggered. */
async function counted(query: string) {
  const response = await call(`GET /v3/builds?${query}`, callers['a user'])
  return response.json<{ '@pagination': object }>()['@pagination']
}

test('rows of long lists are counted up to 10,000, or up to two pages after the offset', async () => {
  const { rowCount } = await client.query(
    'update builds set sender_id = 2 where id <= 19000 and not private',
  )
  const last = { '@href': '/v3/builds?limit=100&offset=9900', offset: 9900, limit: 100 }
  expect(await counted('limit=100')).toMatchObject({ count: 10_000, is_last: false, last })
  expect(await counted('limit=100&offset=9900')).toMatchObject({
    count: 10_100,
    is_last: false,
    next: { offset: 10_000 },
  })
  const count = Number(rowCount)
  expect(count).toBeGreaterThan(15_000)
  const end = await counted(`limit=100&offset=${count - 50}`)
  expect(end).toMatchObject({ count, is_last: true, next: null })
})
