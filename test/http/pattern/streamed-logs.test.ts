import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogPart } from '../../../src/domain/log/log.ts'
import { createServer } from '../../../src/http/server.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { watchStatements } from '../../support/statements.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const server = await createServer(testContext(db))
const call = caller(server)
let url: string

/** What text, JSON and scripts escape differently, and characters of several bytes. */
const awkward = 'a "quoted" \\ line\r\n\u001b[0m wörld 🎉 \u2028 \u2029 </script>\n'

const large = 1
const huge = 2
let parts: LogPart[]

beforeAll(async () => {
  const build = await make.build({ state: 'started' })
  await make.job({ build })
  await make.job({ build })
  parts = Array.from({ length: 600 }, (_, index) => ({
    number: index + 1,
    content: index === 300 ? '' : `${index} ${awkward.repeat(80)}`,
    final: index === 599,
  }))
  const rows = parts.map((part) => ({ ...part, log_id: large, attempt: 1 }))
  await db.insertInto('log_parts').values(rows).execute()
  await sql`
    insert into log_parts (log_id, attempt, number, content)
    select ${huge}, 1, number, repeat(md5(number::text), 140) from generate_series(1, 12800) number
  `.execute(db)
  await server.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const body = () => parts.map(({ content }) => content).join('')
const log = { id: large, job_id: large, type: 'Log', removed_at: null, removed_by: null }
const chunked = 'application/json; chunked=true'

describe('a log that is too large to be held in memory', () => {
  test.each(['log', 'log_parts'])(
    'has warnings about ignored parameters in V3: %s',
    async (path) => {
      const answer = await call(`GET /v3/job/${large}/${path}?colour=red`)
      const shown = JSON.parse(answer.body) as { '@warnings': object; log_parts: LogPart[] }
      expect(Object.keys(shown)[0]).toBe('@warnings')
      expect(shown['@warnings']).toMatchObject([{ parameter: 'colour' }])
      expect(shown.log_parts).toEqual(parts)
      expect(answer.body === JSON.stringify(shown, null, 2)).toBe(true)
    },
  )

  test.each(['log', 'log_parts'])('is formatted in V3 like a small log: %s', async (path) => {
    const { body } = await call(`GET /v3/job/${large}/${path}`)
    expect(body === JSON.stringify(JSON.parse(body), null, 2)).toBe(true)
    expect(body.startsWith('{\n  "@type": "log')).toBe(true)
  })

  test.each([
    ['text/plain', 'text/plain;charset=utf-8', () => body()],
    [
      'application/json',
      'application/json;charset=utf-8',
      () => JSON.stringify({ log: { ...log, body: body() } }),
    ],
    [chunked, 'application/json;charset=utf-8', () => JSON.stringify({ log: { ...log, parts } })],
  ])('is the same for %s as a small log', async (accept, type, expected) => {
    const path = `GET /jobs/${large}/log`
    const plain = await call(path, { accept })
    expect(plain.body === expected()).toBe(true)
    expect(plain.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'no-cache',
      vary: 'Accept, Authorization, Service-API-Version',
    })
    // The length of JSON is known only at its end.
    const length = accept === 'text/plain' ? String(Buffer.byteLength(body())) : undefined
    expect(plain.headers['content-length']).toBe(length)

    const packed = await call(path, { accept, 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(packed.rawPayload).toString() === expected()).toBe(true)

    const head = await call(`HEAD /jobs/${large}/log`, { accept })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    const { 'transfer-encoding': _encoding, ...others } = plain.headers
    // What differs from call to call.
    const moving = { date: '', 'ratelimit-remaining': '', 'ratelimit-reset': '' }
    expect({ ...head.headers, ...moving }).toEqual({ ...others, ...moving })
  })

  test('has another tag as text once a part was rewritten', async () => {
    const tag = async () => (await call(`GET /jobs/${large}/log.txt`)).headers['etag']
    const before = await tag()
    expect([before, await tag()]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), before])
    const { number, content = '' } = parts[0] ?? {}
    const first = db.updateTable('log_parts').set({ content }).where('log_id', '=', large)
    await first.where('number', '=', number ?? 0).execute()
    expect(await tag()).not.toBe(before)
  })

  test('is passed to a callback, and is not indented', async () => {
    const accept = 'application/json'
    const answer = await call(`GET /jobs/${large}/log?callback=take&pretty=true`, { accept })
    const escaped = JSON.stringify({ log: { ...log, body: body() } })
      .replaceAll('\u2028', '\\u2028')
      .replaceAll('\u2029', '\\u2029')
    expect(answer.body === `/**/take(${escaped})`).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/javascript;charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    const pretty = await call(`GET /jobs/${large}/log?pretty=true`, { accept })
    expect(pretty.json()).toEqual({ log: { ...log, body: body() } })
  })

  test('is a single part once the job has finished', async () => {
    await db
      .updateTable('jobs')
      .set({ state: 'passed', finished_at: noon })
      .where('id', '=', large)
      .execute()
    const answer = await call(`GET /jobs/${large}/log`, { accept: chunked })
    const whole = [{ number: 0, content: body(), final: true }]
    expect(answer.body === JSON.stringify({ log: { ...log, parts: whole } })).toBe(true)
  })

  test('is limited like a small log', async () => {
    const after = await call(`GET /jobs/${large}/log?after=10`, { accept: chunked })
    expect(after.json()).toEqual({ log: { ...log, parts: parts.slice(10) } })
    const some = parts.filter(({ number }) => number % 2 === 0)
    const numbers = some.map(({ number }) => number).join(',')
    const picked = await call(`GET /jobs/${large}/log?part_numbers=${numbers}`, { accept: chunked })
    expect(picked.json()).toEqual({ log: { ...log, parts: some } })
  })
})

/** Opens the huge log, and reads nothing of it yet. */
async function open(): Promise<IncomingMessage> {
  const asked = request(`${url}/jobs/${huge}/log.txt`, { agent: false })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}

/** Waits until nothing more is asked of the database, and returns how often it was asked. */
async function settled(statements: readonly unknown[]): Promise<number> {
  for (;;) {
    const before = statements.length
    await pause(300)
    if (statements.length === before) return before
  }
}

const pages = 57_344_000 / (64 * 1024)

describe('a log of 57 MB', () => {
  test('arrives as it was written', async () => {
    const hash = createHash('md5')
    for await (const piece of await open()) hash.update(piece as Buffer)
    const { rows } = await sql<{ md5: string }>`
      select md5(string_agg(content, '' order by number)) from log_parts where log_id = ${huge}
    `.execute(db)
    expect(hash.digest('hex')).toBe(rows[0]?.md5)
  })

  test('is read no faster than the client receives it', async () => {
    const statements = watchStatements()
    const answer = await open()
    expect(await settled(statements)).toBeLessThan(pages / 2)
    // Anyone who reads slowly holds no connection.
    const others = Array.from({ length: 20 }, () => call('GET /jobs/1'))
    expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual(
      Array(20).fill(200),
    )
    let length = 0
    for await (const piece of answer) length += (piece as Buffer).length
    expect(length).toBe(57_344_000)
  })

  test('is no longer read once the client has disconnected', async () => {
    const statements = watchStatements()
    const answer = await open()
    answer.destroy()
    expect(await settled(statements)).toBeLessThan(pages / 2)
  })

  test('is aborted when its job starts again, rather than ending early', async () => {
    const statements = watchStatements()
    const answer = await open()
    await settled(statements)
    await sql`update jobs set attempt = 2 where id = ${huge}`.execute(db)
    const reading = (async () => {
      for await (const _piece of answer);
    })()
    await expect(reading).rejects.toThrow('aborted')
  })
})
