import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { makeScene } from './scene.ts'
import { callsIn, rows, testRows } from './specification-rows.ts'

const { db } = await ownDatabase()
const call = caller(await createServer(testContext(db)))

let token: string

// The caller can push to repository 1, of user 1, to which the app has access.
beforeAll(async () => {
  const { people } = await makeScene(db)
  await factories(db).permission(people.pusher, { id: 1 }, 'push')
  token = people.pusher.token
  await db
    .updateTable('repositories')
    .set({ managed_by_installation: true })
    .where('id', '=', 1)
    .execute()
})
beforeEach(async () => {
  await db.updateTable('repositories').set({ active: false }).where('id', '=', 1).execute()
})

const scene = { call, token: () => token }
const { ask, byCaller } = callsIn(scene)
testRows(scene)

/** The methods that a path has, and those that it has not. */
const methods = new Map<string, Set<string>>()
for (const { method, paths } of rows) {
  for (const path of paths) methods.set(path, (methods.get(path) ?? new Set()).add(method))
}
const others = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

describe.each([...methods])('%s', (path, known) => {
  const allowed = [...known, ...(known.has('GET') ? ['HEAD'] : [])].toSorted()

  test.each(others.filter((method) => !known.has(method)))('has no %s', async (method) => {
    const answer = await ask(method, path, byCaller())
    expect([answer.statusCode, answer.json()]).toEqual([
      405,
      { '@type': 'error', error_type: 'method_not_allowed', error_message: 'method not allowed' },
    ])
    expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(allowed)
  })

  test('accepts HEAD if it can be read, with an empty body', async () => {
    const answer = await ask('HEAD', path, byCaller())
    expect([answer.statusCode, answer.body]).toEqual([known.has('GET') ? 200 : 405, ''])
  })

  test('names the methods and headers that other origins may send', async () => {
    const origin = 'https://elsewhere.example'
    const answer = await call(`OPTIONS ${path}`, { origin, 'access-control-request-method': 'GET' })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': expect.stringContaining('PATCH') as string,
      'access-control-allow-headers': expect.stringContaining('Service-API-Version') as string,
    })
  })

  test('is an unknown path with a slash at its end', async () => {
    const answer = await ask('GET', `${path}/`, byCaller())
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { resource_type: null }])
  })
})
