import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { hashToken, newToken } from '../../../src/secrets/token.ts'
import { createClient } from '../../../src/store/sql/client.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { manyBuilds } from '../../support/many-builds.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'

const { db, connection } = await freshDatabase()
const call = caller(await createServer(testContext(db)))
const token = newToken()

beforeAll(async () => {
  const client = createClient(connection)
  await client.connect()
  for (const statement of manyBuilds(2000, hashToken(token))) await client.query(statement)
  await client.end()
})

/** Each list of a response, as the ids of what is in it. */
async function idsAt(path: string, headers: Record<string, string> = {}) {
  const { statusCode, body } = await call(`GET ${path}`, headers)
  expect(statusCode).toBe(200)
  const lists = Object.entries(JSON.parse(body) as Record<string, { id: number }[]>)
  return Object.fromEntries(lists.map(([name, records]) => [name, records.map(({ id }) => id)]))
}

// Descending, with one of them twice and some that do not exist.
const wanted = [5000, ...Array.from({ length: 250 }, (_, index) => 1900 - index), 1900, 9999999]
const ids = wanted.join(',')

describe.each(['/builds', '/branches', '/jobs'])('a list of many ids at %s', (path) => {
  test('equals several lists of few ids together', async () => {
    const parts = []
    for (let from = 0; from < wanted.length; from += 90) {
      parts.push(await idsAt(`${path}?ids=${wanted.slice(from, from + 90).join()}`))
    }
    const whole = await idsAt(`${path}?ids=${ids}`)
    expect(Object.keys(whole)).toEqual(Object.keys(parts[0] ?? {}))
    const { commits, ...records } = whole
    // One for each of the first list, so that those of several records may be the same.
    expect(commits).toHaveLength(Object.values(records)[0]?.length ?? 0)
    for (const [name, list] of Object.entries(records)) {
      const together = new Set(parts.flatMap((part) => part[name] ?? []))
      expect(list).toEqual([...together].toSorted((a, b) => a - b))
    }
  })

  test('is never held in memory completely', async () => {
    const statements = watchStatements()
    await call(`GET ${path}?ids=${ids}`)
    const lengths = statements.flatMap(({ values }) =>
      values.flatMap((value) => (Array.isArray(value) ? [value.length] : [])),
    )
    expect(Math.max(...lengths)).toBe(100)
  })

  test('leaves out hidden records', async () => {
    const [list = ''] = Object.keys(await idsAt(`${path}?ids=1`))
    const open = await idsAt(`${path}?ids=${ids}`)
    const seen = await idsAt(`${path}?ids=${ids}`, { authorization: `token ${token}` })
    expect(seen[list]?.length).toBeGreaterThan(open[list]?.length ?? 0)
    expect(seen[list]).toEqual(expect.arrayContaining(open[list] ?? []))
  })

  test('is sent with a callback, and without a body for HEAD', async () => {
    const { body } = await call(`GET ${path}?ids=${ids}`)
    expect((await call(`GET ${path}?ids=${ids}&callback=take`)).body).toBe(`/**/take(${body})`)
    const head = await call(`HEAD ${path}?ids=${ids}`)
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })
})

test('configurations are also left out of many builds', async () => {
  const { body } = await call(`GET /builds?ids=${ids}&exclude_config=true`)
  const { builds, jobs } = JSON.parse(body) as Record<string, { config: object }[]>
  for (const { config } of [...(builds ?? []), ...(jobs ?? [])]) expect(config).toEqual({})
})
