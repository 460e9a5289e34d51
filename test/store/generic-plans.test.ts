import { beforeAll, expect, test } from 'vitest'
import { findBranchToBuild } from '../../src/store/builds/builds.ts'
import { findKnownPush } from '../../src/store/commits/pushes.ts'
import { schedulableJobs } from '../../src/store/jobs/waiting-jobs.ts'
import { envVarsInReach } from '../../src/store/secrets/env-vars.ts'
import { createClient } from '../../src/store/sql/client.ts'
import type { Database } from '../../src/store/tables.ts'
import { freshDatabase } from '../support/database.ts'
import { manyBuilds, manyDeliveries } from '../support/many-builds.ts'
import { genericPlanOf } from '../support/query-plan.ts'
import { watchStatements } from '../support/statements.ts'

// The statements that a push waits for are prepared, so PostgreSQL may plan them without their
// parameters while the tables are small, and keep that plan. The plan must also be good in a
// database that has grown.

const { db, connection } = await freshDatabase()
const client = createClient(connection)

beforeAll(async () => {
  await client.connect()
  const statements = [...manyBuilds(20_000, 'no token'), ...manyDeliveries(20_000)]
  for (const statement of statements) await client.query(statement)
  await client.query('set plan_cache_mode = force_generic_plan')
  return () => client.end()
}, 120_000)

const owner = { owner_id: 1, owner_type: 'User' } as const
const push = { ref: 'refs/heads/main', before_sha: 'a'.repeat(40), after_sha: 'b'.repeat(40) }

test.each<[string, (db: Database) => Promise<unknown>]>([
  ['the jobs of an owner that can run', (on) => schedulableJobs(on, owner)],
  ['the newest push to a branch', (on) => findKnownPush(on, { repository_id: 1, ...push }, 300)],
  ['the variables that conditions can read', (on) => envVarsInReach(on, { id: 1, ...owner })],
  ['the previous build of a branch', (on) => findBranchToBuild(on, 1, 'main')],
])('%s are found by an index, whatever their values', async (_, read) => {
  const statements = watchStatements()
  await read(db)
  const [statement, ...others] = statements
  if (!statement) throw new Error('nothing was read')
  expect(others).toEqual([])
  const { scanned, buffers } = await genericPlanOf(client, statement)
  // There is one build for many jobs, so reading all builds may cost less than finding three hundred.
  const large = ['deliveries', 'jobs', 'requests']
  expect(scanned.filter((table) => large.includes(table))).toEqual([])
  expect(buffers).toBeLessThan(1000)
})
