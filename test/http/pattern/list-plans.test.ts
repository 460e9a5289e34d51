import { beforeAll, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
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
    expect(statusCode).toBeOneOf(who === 'a user' ? [200] : [200, 401])
    // Those that follow are sent by this test.
    for (const statement of [...sent]) {
      if (!/^(?:select|with) /.test(statement.text)) continue
      const { scanned } = await planOf(client, statement)
      expect(scanned.filter((table) => large.includes(table))).toEqual([])
    }
  },
)
