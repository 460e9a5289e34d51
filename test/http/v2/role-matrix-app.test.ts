// Who may do what below repositories, where roles are the levels of a code host.
import { beforeAll, describe, expect, test } from 'vitest'
import { noon } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { levels, levelsScene } from '../levels-scene.ts'
import { headersOf, matrix } from '../status-rows.ts'

const { db } = await ownDatabase()
const { fill, status } = await levelsScene(db)

beforeAll(fill)

/** A repository, and what belongs to one, that no one sees who has no role on it. */
const hidden = 2

/** The lowest role that a call takes besides the one to see its repository, and what others are told. */
const table: Readonly<Record<string, readonly ['push' | 'admin', number]>> = {
  'DELETE /repos/:id/caches': ['push', 403],
  'DELETE /repos/:owner/:name/caches': ['push', 403],
  'DELETE /repos/settings/env_vars/:env_var': ['push', 404],
  'DELETE /settings/env_vars/:env_var': ['push', 404],
  'DELETE /settings/ssh_key/:repository': ['push', 404],
  'GET /repos/:id/caches': ['push', 403],
  'GET /repos/:owner/:name/caches': ['push', 403],
  'GET /repos/settings/env_vars': ['push', 404],
  'GET /repos/settings/env_vars/:env_var': ['push', 404],
  'GET /settings/env_vars': ['push', 404],
  'GET /settings/env_vars/:env_var': ['push', 404],
  'GET /settings/ssh_key/:repository': ['push', 404],
  'PATCH /jobs/:job/log': ['push', 401],
  'PATCH /jobs/:job/logs': ['push', 401],
  'PATCH /logs/:log': ['push', 401],
  'PATCH /repos/:id/settings': ['push', 404],
  'PATCH /repos/:owner/:name/settings': ['push', 404],
  'PATCH /repos/settings/env_vars/:env_var': ['push', 404],
  'PATCH /settings/env_vars/:env_var': ['push', 404],
  'PATCH /settings/ssh_key/:repository': ['push', 404],
  'POST /builds/:build/cancel': ['push', 403],
  'POST /builds/:build/restart': ['push', 400],
  'POST /jobs/:job/cancel': ['push', 403],
  'POST /jobs/:job/restart': ['push', 400],
  'POST /repos/:id/key': ['admin', 404],
  'POST /repos/:owner/:name/key': ['admin', 404],
  'POST /repos/settings/env_vars': ['push', 404],
  'POST /requests': ['push', 400],
  'POST /settings/env_vars': ['push', 404],
  'PUT /hooks': ['admin', 403],
  'PUT /hooks/:hook': ['admin', 403],
}

/** What is restarted has finished first, unlike in the rows. */
const restarted: Readonly<Record<string, number>> = {
  'POST /builds/:build/restart': 202,
  'POST /jobs/:job/restart': 202,
  'POST /requests': 200,
}

async function finish(): Promise<void> {
  for (const name of ['builds', 'jobs'] as const) {
    await db.updateTable(name).set({ state: 'failed', finished_at: noon }).execute()
  }
}

const endpoints = Object.entries(matrix['v2'] ?? {}).flatMap(([endpoint, [asked, statuses]]) => {
  // Others are of no repository, or of users.
  if (statuses.length !== 5 || endpoint === 'GET /users/:user') return []
  const [method] = endpoint.split(' ', 1)
  const calls = [asked].flat().map((path) => `${method} ${path.replaceAll('{id}', String(hidden))}`)
  return [{ endpoint, calls, done: restarted[endpoint] ?? statuses[hidden - 1]?.[0] }]
})

test('every write below repositories is in the table', () => {
  const writes = endpoints.filter(({ endpoint }) => !endpoint.startsWith('GET'))
  expect(Object.keys(table)).toEqual(expect.arrayContaining(writes.map(({ endpoint }) => endpoint)))
})

const order = ['pull', 'push', 'admin']

describe.each(endpoints)('$endpoint', ({ endpoint, calls, done }) => {
  const [lowest, refusal] = table[endpoint] ?? ['pull', undefined]

  test.each(levels)(`takes ${lowest}: $who`, async ({ who, role }) => {
    const expected = order.indexOf(role) >= order.indexOf(lowest) ? done : refusal
    for (const call of calls) {
      if (endpoint in restarted) await finish()
      expect([call, await status(call, who, headersOf['v2'] ?? {})]).toEqual([call, expected])
    }
  })
})
