import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Endpoints } from '../../../src/http/v2/endpoints/index.ts'
import { v3Endpoints } from '../../../src/http/v3/endpoints.ts'
import { hashToken, newToken } from '../../../src/secrets/token.ts'
import { createClient } from '../../../src/store/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { manyBuilds, readsOfMany } from '../../support/many-builds.ts'
import { planOf } from '../../support/query-plan.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'

const { db, connection } = await ownDatabase()
const call = caller(await createServer(testContext(db)))
const client = createClient(connection)
const token = newToken()

beforeAll(async () => {
  await client.connect()
  for (const statement of manyBuilds(20_000, hashToken(token))) await client.query(statement)
  return () => client.end()
}, 120_000)

/** The tables that grow with every push. */
const large = ['builds', 'jobs', 'requests', 'commits', 'logs', 'log_parts', 'deliveries']

const callers = { 'a user': { authorization: `token ${token}` }, 'no one': {} }

test.each(readsOfMany.flatMap((path) => Object.keys(callers).map((who) => [path, who] as const)))(
  'GET %s of %s reads no large table as a whole',
  async (path, who) => {
    const sent = watchStatements()
    const { statusCode } = await call(`GET ${path}`, callers[who as keyof typeof callers])
    expect(statusCode).toBeOneOf(who === 'a user' ? [200] : [200, 401, 403])
    // Those that follow are sent by this test.
    for (const statement of [...sent]) {
      if (!/^(?:select|with) /.test(statement.text)) continue
      const { scanned, buffers } = await planOf(client, statement)
      expect(scanned.filter((table) => large.includes(table))).toEqual([])
      // The first repository has thousands of rows, of which a page shows a hundred at most.
      const isPage = path.startsWith('/v3/repo/1/') && !statement.text.includes('count(*)')
      expect(isPage ? buffers : 0).toBeLessThan(250)
    }
  },
)

/** What reads one row of a table, or as many as people make by hand, or what only operators may read. */
const few =
  /^\/($|auth|config|logout|unsubscribe|users?\/|users$|settings|audit|deliver|queues|runners|install|notification\/|token\/|org\/|preference|cron\/|user$)|\/(key|key_pair|env_var|setting|cron|beta_features)\b/

test('every reading endpoint is among them, or reads few rows', () => {
  const paths = readsOfMany.map((url) => new URL(url, 'http://any').pathname)
  const isAmong = ({ paths: templates }: Endpoint, prefix: string) =>
    templates.some((template) => {
      const form = template.replaceAll(/\(\^.*?\$\)/g, '').replaceAll(/:[^/.]+/g, '[^/]+')
      return paths.some((path) => new RegExp(`^${prefix}${form}$`).test(path))
    })
  const missing = [
    ...v2Endpoints.filter((endpoint) => !isAmong(endpoint, '')),
    ...v3Endpoints.filter((endpoint) => !isAmong(endpoint, '/v3')),
  ].filter(({ method, paths: [path = ''] }) => method === 'GET' && !few.test(path))
  expect(missing.map(({ paths }) => paths)).toEqual([])
})

/** What `@pagination` says of the builds that the user triggered. */
async function counted(query: string) {
  const response = await call(`GET /v3/builds?${query}`, callers['a user'])
  return response.json<{ '@pagination': object }>()['@pagination']
}

test('rows of long lists are counted as far as 10,000, and two pages further than the offset', async () => {
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
