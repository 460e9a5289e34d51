import { beforeAll, describe, expect, test } from 'vitest'
import { lastPart } from '../../../src/domain/log/log.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

const job = 1
const empty = 2
const ended = 3

beforeAll(async () => {
  const build = await make.build({ state: 'started' })
  await make.log(await make.job({ build, state: 'started' }), 'hello\r\n', 'wörld\n')
  await make.job({ build })
  const long = await make.job({ build, state: 'errored' })
  await make.log(long, 'one\n')
  const said = { number: lastPart, content: 'The job has ended.\n', final: true }
  await db
    .insertInto('log_parts')
    .values({ ...said, log_id: long.id, attempt: 1 })
    .execute()
})

const log = { id: job, job_id: job, type: 'Log', removed_at: null, removed_by: null }
const parts = [
  { number: 1, content: 'hello\r\n', final: false },
  { number: 2, content: 'wörld\n', final: false },
  { number: 3, content: '', final: true },
]
const chunked = { accept: 'application/json; chunked=true' }

describe('the log of a job', () => {
  test.each([
    ['/jobs/1/log', {}],
    ['/jobs/1/logs', {}],
    ['/jobs/1/log/', {}],
    ['/jobs/1/log', { accept: '*/*' }],
    ['/jobs/1/log', { accept: 'text/plain' }],
    ['/jobs/1/log', { accept: 'text/vnd.service.2.1+plain' }],
    ['/jobs/1/logs', { accept: 'application/vnd.service.2.1+json, text/plain' }],
    ['/jobs/1/log.txt', {}],
    ['/jobs/1/logs.txt', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }],
  ])('at %s is text for %j', async (path, headers) => {
    const answer = await call(`GET ${path}`, headers)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('hello\r\nwörld\n')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain;charset=utf-8',
      'content-disposition': 'inline; filename="1"',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
      vary: 'Accept, Authorization, Service-API-Version',
    })
  })

  test.each([
    ['/jobs/1/log', 'application/json'],
    ['/jobs/1/logs', 'application/vnd.service.2.1+json'],
    ['/jobs/1/log', 'application/json; chunked=false'],
  ])('at %s is JSON with a body for %s', async (path, accept) => {
    const answer = await call(`GET ${path}`, { accept })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ log: { ...log, body: 'hello\r\nwörld\n' } })
    expect(answer.headers['content-type']).toBe('application/json;charset=utf-8')
  })

  test.each([
    'application/json; chunked=true',
    'application/vnd.service.2.1+json; chunked=true',
    'text/plain; chunked=true',
    '*/*; chunked=true',
    'application/json; chunked=true; version=2, application/json; version=2',
  ])('is JSON with its parts for %s', async (accept) => {
    const answer = await call('GET /jobs/1/log', { accept })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ log: { ...log, parts } })
    expect(answer.headers['content-type']).toBe('application/json;charset=utf-8')
  })

  test.each([
    ['/jobs/1/log', 'image/png'],
    ['/jobs/1/log', 'text/html'],
    ['/jobs/1/log.txt', 'application/json'],
    ['/jobs/1/log.txt', 'application/json; chunked=true'],
  ])('at %s is not acceptable for %s', async (path, accept) => {
    const answer = await call(`GET ${path}`, { accept })
    expect([answer.statusCode, answer.body]).toEqual([406, ''])
  })

  test('is downloaded with `attachment`', async () => {
    const answer = await call('GET /jobs/1/log?attachment')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="1"')
  })

  test('at a path ending in .txt is not for search engines', async () => {
    const robots = 'noindex, noarchive, nosnippet'
    expect((await call('GET /jobs/1/log.txt')).headers['x-robots-tag']).toBe(robots)
    expect((await call('GET /jobs/1/log')).headers['x-robots-tag']).toBeUndefined()
  })

  test('exists from the beginning', async () => {
    expect((await call(`GET /jobs/${empty}/log`)).body).toBe('')
    expect((await call(`GET /jobs/${empty}/log`, chunked)).json()).toEqual({
      log: { ...log, id: empty, job_id: empty, parts: [] },
    })
  })

  test('ends with the message of the service', async () => {
    expect((await call(`GET /jobs/${ended}/log`)).body).toBe('one\nThe job has ended.\n')
  })
})

describe('the parts of a log', () => {
  test.each([
    ['after=1', [2, 3]],
    ['after=0', [1, 2, 3]],
    ['after=3', []],
    ['after=x', [1, 2, 3]],
    ['after=-7', [1, 2, 3]],
    ['after=99999999999999999999', []],
    ['part_numbers=1,3', [1, 3]],
    ['part_numbers=3,1,1', [1, 3]],
    ['part_numbers[]=1&part_numbers[]=2', [1, 2]],
    ['part_numbers=1&part_numbers=2', [1, 2]],
    ['part_numbers=9', []],
    ['part_numbers=99999999999999999999', []],
    ['part_numbers=', []],
    ['after=1&part_numbers=1,2', [2]],
  ])('are limited by %s', async (query, numbers) => {
    expect(numbersIn((await call(`GET /jobs/1/log?${query}`, chunked)).json())).toEqual(numbers)
  })

  test.each([
    ['after=2', [3]],
    ['part_numbers=2', [2]],
  ])('are limited by %s next to `chunked`', async (param, numbers) => {
    const accept = `application/json; chunked=true; ${param}`
    expect(numbersIn((await call('GET /jobs/1/log', { accept })).json())).toEqual(numbers)
  })

  test('are not limited in other forms of the log', async () => {
    expect((await call('GET /jobs/1/log?after=2&part_numbers=3')).body).toBe('hello\r\nwörld\n')
  })
})

function numbersIn(body: { log: { parts: { number: number }[] } }): number[] {
  return body.log.parts.map(({ number }) => number)
}

test.each(['/jobs/9/log', '/jobs/x/log', '/jobs/9/log.txt', '/jobs/99999999999999999999/logs'])(
  'no log is found at %s, whatever type is accepted',
  async (path) => {
    const answer = await call(`GET ${path}`, { accept: 'image/png' })
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  },
)
