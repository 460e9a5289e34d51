// How much more the API's reads take when there are a hundred times as many builds: those who have used
// the service for years should not wait longer. The statements of the real server are captured, and
// each is run again with `explain`, at 10^4 and at 10^6 builds, with three jobs each.
//
// There is no anchor: the figure is the worst statement's buffers (pages that PostgreSQL reads) with many
// builds over those with few, which do not depend on the machine. A statement that reads a large table as
// a whole misses the goal, whatever its buffers.
import { createServer } from '../src/http/server.ts'
import { hashToken, newToken } from '../src/secrets/token.ts'
import { migrate } from '../src/store/migrate.ts'
import { migrations } from '../src/store/migrations/index.ts'
import { createClient } from '../src/store/sql/client.ts'
import { openDatabase } from '../src/store/sql/connection.ts'
import { readsOfMany } from '../test/http/endpoints.ts'
import { testContext } from '../test/support/context.ts'
import { manyBuilds } from '../test/support/many-builds.ts'
import { planOf } from '../test/support/query-plan.ts'
import { captureStatements } from '../test/support/sent-statements.ts'
import { type Bench, benchmark } from './harness/benchmark.ts'
import { rounded } from './harness/statistics.ts'

/** Rows from which on a table is large. */
const large = 10_000

/** What one statement of a call takes. */
interface Cost {
  call: string
  text: string
  buffers: number
  /** The large tables that it reads as a whole. */
  scanned: string[]
}

const isOfV3 = ({ call }: Cost) => call.startsWith('GET /v3/')

await benchmark({ bench: 'growth', goal: 2.5, better: 'lower', noise: 0.03 }, async (bench) => {
  const [few, many] = bench.plan.quick ? [10_000, 60_000] : [10_000, 1_000_000]
  const before = await costsOf(bench, 'few', few)
  const after = await costsOf(bench, 'many', many)
  const grown = before
    .flatMap((cost, index) => {
      const later = after[index]
      if (later?.text !== cost.text) throw new Error(`${cost.call} sends other statements`)
      return { ...later, before: cost.buffers, ratio: later.buffers / Math.max(1, cost.buffers) }
    })
    .toSorted((a, b) => b.ratio - a.ratio)
  const scans = grown.filter(({ scanned }) => scanned.length > 0)
  const ratio = grown[0]?.ratio ?? 1
  const missed = scans.length > 0 ? { met: false, scans } : {}
  return {
    comparison: { ratio, p10: ratio, p90: ratio, aa: 1 },
    further: {
      floor: 3,
      moonshot: 1.3,
      builds: [few, many],
      statements: grown.length,
      v2: worstOf(grown.filter((cost) => !isOfV3(cost))),
      v3: worstOf(grown.filter(isOfV3)),
      ...missed,
    },
  }
})

type Grown = Cost & { before: number; ratio: number }

/** The first of these statements, which are sorted. */
function worstOf(grown: readonly Grown[]) {
  return grown
    .slice(0, 8)
    .map(({ call, ratio, before, buffers }) => ({
      call,
      ratio: rounded(ratio),
      buffers: [before, buffers],
    }))
}

/** Fills a database, has the server read from it, and returns what its statements take, in their order. */
async function costsOf({ place, databases }: Bench, name: string, builds: number): Promise<Cost[]> {
  const connection = { connectionString: await databases.create(name) }
  const { db } = place.keep(openDatabase(connection, () => {}))
  await migrate(db, migrations)
  const client = createClient(connection)
  place.keep({ close: () => client.end() })
  await client.connect()
  const token = newToken()
  for (const statement of manyBuilds(builds, hashToken(token))) await client.query(statement)
  const { rows } = await client.query<{ relname: string }>(
    'select relname from pg_class where reltuples > $1',
    [large],
  )
  const tables = new Set(rows.map(({ relname }) => relname))

  const server = await createServer(testContext(db))
  const costs: Cost[] = []
  for (const url of readsOfMany) {
    const { statements, stop } = captureStatements()
    const headers = { authorization: `token ${token}` }
    const { statusCode } = await server.inject({ method: 'GET', url, headers })
    stop()
    if (statusCode !== 200) throw new Error(`GET ${url} was answered with ${statusCode}`)
    // Those that are sent at once can come in either order.
    for (const statement of statements.toSorted((a, b) => a.text.localeCompare(b.text))) {
      const { buffers, scanned } = await planOf(client, statement)
      const whole = scanned.filter((table) => tables.has(table))
      costs.push({ call: `GET ${url}`, text: statement.text, buffers, scanned: whole })
    }
  }
  return costs
}
