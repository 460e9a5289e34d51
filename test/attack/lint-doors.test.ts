// Anyone can make the linter read any file, so a file must not exhaust the time or memory of the
// service.
import { afterAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { openReader } from '../../src/reader/open-reader.ts'
import type { Reader } from '../../src/reader/reader.ts'
import { caller } from '../http/door.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { directReader } from '../support/reader.ts'

const db = await testDatabase()

const v3 = { 'service-api-version': '3' }
const browser = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
const worst = `deploy:\n${'- x\n'.repeat(11_000)}`
const form = (content: string) => new URLSearchParams({ content }).toString()

/** All endpoints of the linter. The page's script sends the same call as the form. */
const doors: [door: string, call: string, headers: Record<string, string>, body: string][] = [
  ['POST of V2.1', 'POST /lint', {}, worst],
  ['PUT of V2.1', 'PUT /lint', {}, worst],
  ['POST of V3', 'POST /lint', v3, worst],
  ['the form of the page', 'POST /lint/check', browser, form(worst)],
]

async function open(reader: Reader) {
  const ctx = { ...testContext(db), reader }
  return { ctx, call: caller(await createServer(ctx)) }
}

describe('while the most expensive body is read', () => {
  test.each(doors)('other calls are served: %s', async (_door, asked, headers, body) => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { call } = await open({
      async run(...reading) {
        await held
        return directReader.run(...reading)
      },
    })
    const reading = call(asked, headers, body)
    expect((await call('GET /', v3)).statusCode).toBe(200)
    release()
    expect((await reading).statusCode).toBe(200)
  })
})

describe('a body that takes more resources than one body can use', () => {
  const reader = openReader({ limits: { time: 1, megabytes: 256 }, threads: 1, onError: () => {} })
  afterAll(() => reader.close())
  const message =
    'it takes more than 0.001 s of computing time to read: make the build file shorter, or its ' +
    'lists and its matrix smaller'
  const warning = { key: [], message, level: 'alert', code: 'too_costly', line: null, column: null }

  test.each(doors.slice(0, 3))('gets a warning: %s', async (_door, asked, headers, body) => {
    const { call } = await open(reader)
    const answer = await call(asked, headers, body)
    const warnings = [warning]
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      headers === v3 ? { '@type': 'lint', warnings } : { lint: { warnings } },
    ])
  })

  test('is refused by the page, with the reason', async () => {
    const { call } = await open(reader)
    const answer = await call('POST /lint/check', browser, form(worst))
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([422, 'no-store'])
    expect(answer.body).toContain(
      'Reading this build file takes more time or memory than the service spends on one file.',
    )
  })
})

describe('a body with more values than the linter checks', () => {
  const content = `deploy:\n${'- x\n'.repeat(7500)}`
  const message =
    'syntax error: The file holds more than 7000 values, which is more than is checked here. ' +
    'Check it on your own machine: build-service lint'

  test.each(doors)('is refused, and not read further: %s', async (_door, asked, headers, body) => {
    const { call } = await open(directReader)
    const answer = await call(asked, headers, body === worst ? content : form(content))
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain(message)
    expect(answer.body).toContain('7002')
  })
})

describe('the budget of an address', () => {
  /** A reader that takes this many milliseconds for each body. */
  const costing = (spent: number): Reader => ({
    run: async (...reading) => ({ ...(await directReader.run(...reading)), spent }),
  })

  test('is shared by all endpoints, refilled with time, and separate from other addresses', async () => {
    const { ctx, call } = await open(costing(2500))
    const left: unknown[] = []
    for (const [, asked, headers, body] of doors) {
      const answer = await call(asked, headers, body)
      expect(answer.statusCode).toBe(200)
      left.push(answer.headers['ratelimit-remaining'])
    }
    expect(left).toEqual(['7', '5', '2', '0'])
    const refused = await Promise.all(
      doors.map(([, asked, headers, body]) => call(asked, headers, body)),
    )
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429, 429])
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(['2', '2', '2', '2'])
    expect(refused.map(({ headers }) => headers['ratelimit-reset'])).toEqual(
      Array.from({ length: 4 }, () => '60'),
    )
    const [legacy, , current, page] = refused.map(({ body }) => body)
    expect(legacy).toBe('Retry later')
    expect(JSON.parse(current ?? '')).toEqual({
      '@type': 'error',
      error_type: 'too_many_requests',
      error_message: 'too many requests: try again in 2 s',
    })
    expect(page).toContain('Too many requests came from your address')

    expect((await call('GET /', v3)).statusCode).toBe(200)
    expect((await call('GET /lint', browser)).statusCode).toBe(200)
    ctx.pass(2)
    expect((await call('PUT /lint', {}, 'script: make')).statusCode).toBe(200)
    expect((await call('PUT /lint', {}, 'script: make')).statusCode).toBe(429)
  })

  test('cannot be exceeded by many calls at once', async () => {
    const { call } = await open(costing(2500))
    const calls = Array.from({ length: 50 }, () => call('POST /lint', {}, 'script: make'))
    const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(4)
    expect(statuses.filter((status) => status === 429)).toHaveLength(46)
  })

  test('is chosen by the connection, unless a trusted proxy names another address', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const ctx = { ...testContext(db), reader: costing(10_000) }
    const trusting = { ...ctx, site: { ...ctx.site, trustProxy: ['loopback'] } }
    const [direct, behind] = [caller(await createServer(ctx)), caller(await createServer(trusting))]
    expect((await direct('POST /lint', from('192.0.2.1'), 'a: b')).statusCode).toBe(200)
    expect((await direct('POST /lint', from('192.0.2.2'), 'a: b')).statusCode).toBe(429)
    expect((await behind('POST /lint', from('192.0.2.3'), 'a: b')).statusCode).toBe(200)
    expect((await behind('POST /lint', from('192.0.2.3'), 'a: b')).statusCode).toBe(429)
    expect((await behind('POST /lint', from('192.0.2.4'), 'a: b')).statusCode).toBe(200)
  })
})
