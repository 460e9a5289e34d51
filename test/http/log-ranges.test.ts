import { beforeEach, describe, expect, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import { createServer } from '../../src/http/server.ts'
import { insertParts } from '../../src/store/jobs/logs.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller, unlimited } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
ctx.rates = unlimited
const call = caller(await createServer(ctx))

let finished: Job
let growing: Job
let large: Job

const text = 'hello\r\nwörld\n'
const bytes = Buffer.from(text)
/** Too large to be sent as a whole: it is read while it is sent. */
const block = `${'0123456789ä'.repeat(10_000)}\n`
const blocks = 15

let ready = false
beforeEach(async () => {
  if (ready) return
  ready = true
  const build = await make.build()
  finished = await make.job({ build, state: 'passed' })
  await make.log(finished, 'hello\r\n', 'wörld\n')
  growing = await make.job({ build, state: 'started' })
  await grow(1, 'hello\r\n')
  large = await make.job({ build, state: 'passed' })
  await make.log(large, ...Array.from({ length: blocks }, () => block))
})

const grow = (number: number, content: string) =>
  insertParts(db, { job_id: growing.id, attempt: growing.attempt }, [
    { number, content, final: false },
  ])

const forms: Record<string, (job: Job) => [string, Record<string, string>]> = {
  'V2.1 by its job': ({ id }) => [`GET /jobs/${id}/log`, { accept: 'text/plain' }],
  'V2.1 by its id': ({ id }) => [`GET /logs/${id}`, { accept: 'text/plain' }],
  'V2.1 as a file': ({ id }) => [`GET /jobs/${id}/log.txt?attachment=true`, { accept: '*/*' }],
  V3: ({ id }) => [`GET /v3/job/${id}/log`, { accept: 'text/plain' }],
  'V3 as a file': ({ id }) => [`GET /v3/job/${id}/log.txt`, { accept: '*/*' }],
}

describe.each(Object.entries(forms))('the text of a log, %s', (_name, of) => {
  const read = async (job: Job, headers: Record<string, string> = {}, method = 'GET') => {
    const [path, accept] = of(job)
    const answer = await call(path.replace('GET', method), { ...accept, ...headers })
    const { etag, 'content-length': length, 'content-range': range } = answer.headers
    return { answer, etag: String(etag), length, range, status: answer.statusCode }
  }

  test('has a length and a tag, also for HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { answer, etag, length } = await read(finished, {}, method)
      expect(answer.statusCode).toBe(200)
      expect(length).toBe(String(bytes.length))
      expect(etag).toMatch(/^"[\w-]{22}"$/)
      expect(answer.headers['accept-ranges']).toBe('bytes')
      expect(answer.headers['cache-control']).toBe('no-cache')
      expect(answer.body).toBe(method === 'GET' ? text : '')
    }
  })

  test.each([
    ['bytes=0-4', 0, 5],
    ['bytes=7-', 7, bytes.length],
    ['bytes=-3', bytes.length - 3, bytes.length],
    ['bytes=3-999', 3, bytes.length],
    ['bytes=-999', 0, bytes.length],
  ])('can be requested in part: %s', async (range, from, to) => {
    const found = await read(finished, { range, 'accept-encoding': 'gzip' })
    expect([found.status, found.range, found.length]).toEqual([
      206,
      `bytes ${from}-${to - 1}/${bytes.length}`,
      String(to - from),
    ])
    expect(found.answer.rawPayload).toEqual(bytes.subarray(from, to))
    expect(found.answer.headers['content-encoding']).not.toBe('gzip')
  })

  test.each(['bytes=0-1,3-4', 'bytes=5-2', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    'is sent as a whole with %s',
    async (range) => {
      const { status, answer } = await read(finished, { range })
      expect([status, answer.body]).toEqual([200, text])
    },
  )

  test('is 416 for a range beyond its end', async () => {
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const found = await read(finished, { range })
      expect([found.status, found.range, found.answer.body]).toEqual([
        416,
        `bytes */${bytes.length}`,
        '',
      ])
    }
  })

  test('is not sent again to a client that has it, and sent as a whole for a range of another version', async () => {
    const { etag } = await read(finished)
    const known = await read(finished, { 'if-none-match': etag, range: 'bytes=0-1' })
    expect([known.status, known.etag, known.answer.body]).toEqual([304, etag, ''])
    const part = await read(finished, { 'if-range': etag, range: 'bytes=0-1' })
    expect([part.status, part.answer.body]).toEqual([206, 'he'])
    for (const other of ['"other"', `W/${etag}`, 'Mon, 30 Nov 2026 12:00:00 GMT']) {
      const whole = await read(finished, { 'if-range': other, range: 'bytes=0-1' })
      expect([whole.status, whole.answer.body]).toEqual([200, text])
    }
  })

  test('can be requested in part while it is read, with characters of several bytes', async () => {
    const all = Buffer.from(block.repeat(blocks))
    const whole = await read(large, {}, 'HEAD')
    expect([whole.status, whole.length]).toEqual([200, String(all.length)])
    const from = block.length * 12 + 7
    const found = await read(large, { range: `bytes=${from}-${from + 300_000}` })
    expect([found.status, found.range]).toEqual([
      206,
      `bytes ${from}-${from + 300_000}/${all.length}`,
    ])
    expect(found.answer.rawPayload.equals(all.subarray(from, from + 300_001))).toBe(true)
    expect((await read(large, { 'if-none-match': whole.etag })).status).toBe(304)
  })
})

test('a growing log is followed by its bytes, and its tag changes', async () => {
  const path = `GET /jobs/${growing.id}/log.txt`
  const first = await call(path)
  expect(first.body).toBe('hello\r\n')
  const next = { range: 'bytes=7-' }
  const none = await call(path, next)
  expect([none.statusCode, none.headers['content-range']]).toEqual([416, 'bytes */7'])
  await grow(2, 'more\r\n')
  const more = await call(path, next)
  expect([more.statusCode, more.headers['content-range'], more.body]).toEqual([
    206,
    'bytes 7-12/*',
    'more\r\n',
  ])
  const tag = String(first.headers.etag)
  expect((await call(path, { 'if-none-match': tag })).body).toBe('hello\r\nmore\r\n')
  expect((await call(path, { ...next, 'if-range': tag })).body).toBe('hello\r\nmore\r\n')
})

test('compressed content has its own tag, which is also recognized', async () => {
  const path = `GET /jobs/${large.id}/log.txt`
  const packed = await call(path, { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect(packed.headers.etag).toMatch(/-gzip"$/)
  const again = await call(path, {
    'accept-encoding': 'gzip',
    'if-none-match': String(packed.headers.etag),
  })
  expect(again.statusCode).toBe(304)
})
