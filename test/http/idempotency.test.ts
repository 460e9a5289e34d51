import { beforeEach, describe, expect, test } from 'vitest'
import { tidy } from '../../src/flow/upkeep/sweep.ts'
import { createServer } from '../../src/http/server.ts'
import { sealedIn } from '../../src/secrets/sealed-records.ts'
import { age } from '../support/age.ts'
import { noon, testContext, testSealer } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { memoryCodehost } from '../support/memory-codehost.ts'
import { caller } from './door.ts'
import { makeRoles, type Role } from './v2/roles.ts'

const db = await testDatabase()
const ctx = testContext(db, { codehost: memoryCodehost() })
const call = caller(await createServer(ctx))

let tokens: Awaited<ReturnType<typeof makeRoles>>
beforeEach(async () => {
  tokens = await makeRoles(db)
  const make = factories(db)
  const repository = await db
    .selectFrom('repositories')
    .selectAll()
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const build = await make.build({ repository, state: 'failed' })
  await make.job({ build, state: 'failed' })
})

interface Given {
  body?: object
  key?: string
  who?: Role
  version?: string
}

async function post(path: string, { body = {}, key = 'k', who = 'pusher', version = '3' }: Given) {
  const { statusCode, headers, payload } = await call(
    `POST ${path}`,
    {
      'service-api-version': version,
      authorization: `token ${tokens[who]}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    JSON.stringify(body),
  )
  return { statusCode, type: headers['content-type'], payload }
}

const rowsOf = async (table: 'requests' | 'env_vars') =>
  (await db.selectFrom(table).select('id').execute()).length

const variable = { name: 'VOICE', value: 'hunter2', public: false }
const envVars = '/repo/1/env_vars'

describe('a call repeated with its Idempotency-Key', () => {
  test.each<[string, string, Given]>([
    ['/repo/1/requests', '3', { body: { request: { branch: 'main' } } }],
    [envVars, '3', { body: variable }],
    ['/settings/env_vars?repository_id=1', '2.1', { body: { env_var: variable } }],
  ])(
    'POST %s of V%s gets the same response, and is carried out once',
    async (path, version, given) => {
      const counts = async () => [await rowsOf('requests'), await rowsOf('env_vars')]
      const before = await counts()
      const first = await post(path, { ...given, version })
      expect(first.statusCode).toBeLessThan(300)
      const after = await counts()
      expect(after).not.toEqual(before)
      expect(await post(path, { ...given, version })).toEqual(first)
      expect(await counts()).toEqual(after)
      expect((await post(path, { ...given, version, key: 'another' })).payload).not.toBe(
        first.payload,
      )
    },
  )

  test.each([
    ['/build/1/restart', '3'],
    ['/build/1/restart_failed', '3'],
    ['/builds/1/restart', '2.1'],
    ['/job/1/restart', '3'],
    ['/jobs/1/restart', '2.1'],
    ['/requests', '2.1'],
  ])('POST %s of V%s restarts once', async (path, version) => {
    const given = { version, body: path === '/requests' ? { build_id: 1 } : {} }
    const first = await post(path, given)
    expect(first.statusCode).toBeLessThan(300)
    const stateAfter = async (key: string) => {
      await db.updateTable('jobs').set({ state: 'failed', finished_at: noon }).execute()
      await db.updateTable('builds').set({ state: 'failed', finished_at: noon }).execute()
      const answer = await post(path, { ...given, key })
      const { state } = await db.selectFrom('jobs').select('state').executeTakeFirstOrThrow()
      return { answer, state }
    }
    expect(await stateAfter('k')).toEqual({ answer: first, state: 'failed' })
    expect((await stateAfter('another')).state).toBe('created')
  })

  test('at the same time is carried out once', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => post(envVars, { body: variable })))
    expect(await rowsOf('env_vars')).toBe(1)
    const done = answers.filter(({ statusCode }) => statusCode === 201)
    expect(new Set(done.map(({ payload }) => payload)).size).toBe(1)
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 409))
    expect(refused.every(({ payload }) => payload.includes('has no answer yet'))).toBe(true)
  })

  test('but with another body is refused', async () => {
    await post(envVars, { body: variable })
    const other = await post(envVars, { body: { ...variable, name: 'OTHER' } })
    expect([other.statusCode, other.payload]).toEqual([
      422,
      expect.stringContaining('was used with another body'),
    ])
    expect(await rowsOf('env_vars')).toBe(1)
  })

  test('by another user or at another address is another call', async () => {
    await post(envVars, { body: variable })
    await post(envVars, { body: { ...variable, name: 'OTHER' }, who: 'admin' })
    await post('/repo/2/env_vars', { body: variable })
    expect(await rowsOf('env_vars')).toBe(3)
  })

  test('is carried out if it was refused the first time', async () => {
    expect((await post(envVars, { body: { value: 'hunter2' } })).statusCode).toBe(422)
    expect((await post(envVars, { body: variable })).statusCode).toBe(201)
  })

  test('is carried out again after a day', async () => {
    await post(envVars, { body: variable })
    for (const [hours, rows] of [
      [23, 0],
      [2, 1],
    ] as const) {
      await db.deleteFrom('env_vars').execute()
      await age(db, hours * 3600)
      await tidy(ctx)
      const { statusCode, payload } = await post(envVars, { body: variable })
      expect([hours, statusCode, payload]).toEqual([hours, 201, expect.stringContaining('VOICE')])
      expect(await rowsOf('env_vars')).toBe(rows)
    }
  })
})

test.each(['', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const { statusCode, payload } = await post(envVars, { body: variable, key })
  expect([statusCode, payload]).toEqual([400, expect.stringContaining('1 to 255 characters')])
  expect(await rowsOf('env_vars')).toBe(0)
})

test('neither calls nor their responses are stored in plain text', async () => {
  await post(envVars, { body: { ...variable, public: true } })
  const rows = await db.selectFrom('idempotent_calls').selectAll().execute()
  const opened = rows.map(({ digest, sealed_call }) =>
    testSealer.openText(sealedIn.idempotentCall(digest), sealed_call),
  )
  expect(opened).toEqual([expect.stringMatching(/VOICE.*hunter2/s)])
  expect(JSON.stringify(rows)).not.toMatch(/hunter2|VOICE/)
})
