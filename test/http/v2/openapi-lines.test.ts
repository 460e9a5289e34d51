import { execFileSync } from 'node:child_process'
import { beforeEach, describe, expect, test } from 'vitest'
import { curlOf } from '../../../src/http/openapi/curl.ts'
import type { OpenApi } from '../../../src/http/openapi/operation.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { bodyIn } from '../random-calls/body.ts'
import { makeWorld, type World } from '../v3/world.ts'

const db = await testDatabase()
const call = caller(await createServer(testContext(db)))
const document = (await call('GET /docs/v2.1.json')).json<OpenApi>()

const base = 'https://ci.example.org'
const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([name, operation]) => {
    const method = name.toUpperCase()
    const line = curlOf({ method, path, operation, base })
    return { asked: `${method} ${path}`, operation, line }
  }),
)
const lines = calls.flatMap(({ asked, line }) => (line === undefined ? [] : [{ asked, line }]))

/** Where the records of the examples are not as the call needs them, or the reader has to give a key. */
const otherwise: Readonly<Record<string, number>> = {
  'PATCH /settings/ssh_key/{repository}': 422,
  'DELETE /settings/ssh_key/{repository}': 404,
  'POST /builds/{build}/cancel': 422,
  'POST /jobs/{job}/cancel': 422,
}

let world: World
beforeEach(async () => {
  world = await makeWorld(db)
  await db.updateTable('repositories').set({ active: false }).where('id', '=', 1).execute()
})

/** The words that a shell makes of a line. */
function wordsOf(line: string, token: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; ${line}`
  const words = execFileSync('sh', ['-c', script], { env: { TOKEN: token }, encoding: 'utf8' })
  return words.split('\0').slice(0, -1)
}

/** Makes the call of a line, or the same with its body in another type. */
function run(line: string, type?: string) {
  const words = wordsOf(line, world.people.admin.token)
  const after = (option: string) => words.filter((_word, index) => words[index - 1] === option)
  const headers = after('-H').map((header) => header.split(': ', 2) as [string, string])
  const [json] = after('-d')
  const body =
    type === undefined || json === undefined
      ? { headers: {}, payload: json }
      : bodyIn(type, JSON.parse(json))
  const [method = 'GET'] = after('-X')
  const address = (words.at(-1) ?? '').replace(base, '')
  const sent = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
  return call(`${method} ${address}`, { ...sent, ...body.headers }, body.payload)
}

/** Each type in which an example can be written. */
const bodies = calls.flatMap(({ asked, operation, line }) => {
  const { content = {} } = operation.requestBody ?? {}
  const types = Object.keys(content).filter((type) => type !== '*/*')
  const hasExample = content['application/json']?.example !== undefined
  return hasExample && line !== undefined ? types.map((type) => ({ asked, type, line })) : []
})

async function outcomeOf(line: string, type?: string): Promise<'done' | number> {
  const { statusCode } = await run(line, type)
  return statusCode >= 200 && statusCode < 300 ? 'done' : statusCode
}

describe('an example command for a shell does what it describes:', () => {
  test.each(lines)('$asked', async ({ asked, line }) => {
    expect({ line, status: await outcomeOf(line) }).toEqual({
      line,
      status: otherwise[asked] ?? 'done',
    })
  })

  test.each(bodies)('$asked with its body in $type', async ({ asked, type, line }) => {
    expect(await outcomeOf(line, type)).toBe(otherwise[asked] ?? 'done')
  })

  test.each(['PUT /hooks', 'PUT /hooks/{hook}'])('%s activates a repository', async (asked) => {
    await run(lines.find((each) => each.asked === asked)?.line ?? '')
    const query = db.selectFrom('repositories').select('active').where('id', '=', 1)
    expect(await query.executeTakeFirstOrThrow()).toEqual({ active: true })
  })

  test('POST /auth/codehost returns a token in exchange for the reader’s own', async () => {
    const answer = await run(lines.find(({ asked }) => asked === 'POST /auth/codehost')?.line ?? '')
    expect(answer.json()).toEqual({ access_token: expect.stringMatching(/^bsvc_/) })
  })
})

test('all writes have an example command, except those that only pages send', () => {
  const without = calls.filter(({ line }) => line === undefined).map(({ asked }) => asked)
  expect(without.filter((asked) => !asked.startsWith('GET '))).toEqual([
    'POST /auth/handshake',
    'POST /auth/post_message',
    'POST /unsubscribe/{link}',
  ])
})
