// Who may do what below repositories, where roles are the levels of a code host.
import { beforeAll, describe, expect, test } from 'vitest'
import { noon } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import {
  callsOf,
  endpointsOf,
  finishedOf,
  headersOf,
  isBelowRepository,
  roleOf,
} from '../endpoints.ts'
import { levels, levelsScene } from '../levels-scene.ts'
import { restore } from '../status-scene.ts'

const { db } = await ownDatabase()
const { fill, status } = await levelsScene(db)

beforeAll(fill)

/** A repository, and what belongs to one, that no one sees who has no role on it. */
const hidden = 2

async function finish(): Promise<void> {
  for (const name of ['builds', 'jobs'] as const) {
    await db.updateTable(name).set({ state: 'failed', finished_at: noon }).execute()
  }
  await db.updateTable('logs').set({ removed_at: null }).execute()
}

const endpoints = endpointsOf('v2')
  // Others are of no repository, or of users.
  .filter((endpoint) => isBelowRepository(endpoint) && endpoint.path !== '/users/:user')
  .map((endpoint) => {
    const { name, method, row } = endpoint
    const paths = callsOf(endpoint)
    const [finished = '', after] = finishedOf(endpoint) ?? []
    // Those that need a body are called without one.
    const isAfter = paths.includes(finished)
    const statuses = isAfter ? after : row.statuses
    const calls = paths.map((path) => `${method} ${path.replaceAll('{id}', String(hidden))}`)
    return { endpoint: name, calls, isAfter, done: statuses?.[hidden - 1]?.[0], ...roleOf(row) }
  })

test('every write below repositories is in the table, and needs more than the right to pull', () => {
  const writes = endpointsOf('v2').filter(
    ({ method, path }) => method !== 'GET' && /:(?!user|link)/.test(path),
  )
  const listed = endpoints.map(({ endpoint }) => endpoint)
  expect(listed).toEqual(expect.arrayContaining(writes.map(({ name }) => name)))
  const unguarded = endpoints.filter(
    ({ endpoint, lowest }) => !endpoint.startsWith('GET') && lowest === 'pull',
  )
  expect(unguarded).toEqual([])
})

const order = ['pull', 'push', 'admin']

describe.each(endpoints)('$endpoint', ({ calls, isAfter, done, lowest, refusal }) => {
  test.each(levels)(`needs ${lowest}: $who`, async ({ who, role }) => {
    const expected = order.indexOf(role) >= order.indexOf(lowest) ? done : refusal
    for (const call of calls) {
      if (isAfter) await finish()
      expect([call, await status(call, who, headersOf.v2)]).toEqual([call, expected])
    }
    // Other endpoints need builds and jobs that have not finished.
    if (isAfter) await restore(db)
  })
})
