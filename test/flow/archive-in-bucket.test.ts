import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../src/domain/job/job.ts'
import { archiveLogs } from '../../src/flow/logs/archive-logs.ts'
import { createServer } from '../../src/http/server.ts'
import { openObjects } from '../../src/objects/open-objects.ts'
import { caller } from '../http/door.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { partsOfLog } from '../support/stored-parts.ts'

const db = await testDatabase()
const make = factories(db)

let directory: string
let bucket: S3rver
let endpoint: string

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'bucket-'))
  bucket = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory },
    configureBuckets: [{ name: 'logs', configs: [] }],
  })
  endpoint = `http://127.0.0.1:${(await bucket.run()).port}`
})
afterAll(async () => {
  await bucket.close()
  await rm(directory, { recursive: true })
})

const settings = {
  objectStoreUrl: 's3://logs/ci',
  dataDir: '/nowhere',
  databaseUrl: undefined,
  awsAccessKeyId: 'S3RVER',
  awsSecretAccessKey: 'S3RVER',
  awsSessionToken: undefined,
  awsRegion: 'us-east-1',
  logRedirects: true,
}

async function withBucket(given: Partial<typeof settings> & { awsEndpointUrl?: string } = {}) {
  const objects = openObjects({ ...settings, awsEndpointUrl: endpoint, ...given })
  const ctx = { ...testContext(db), objects }
  return { ctx, store: objects.current, call: caller(await createServer(ctx)) }
}

const objectsInBucket = async () =>
  (await readdir(path.join(directory, 'logs'), { recursive: true })).filter((name) =>
    name.endsWith('.gz._S3rver_object'),
  )

const text = `${'a line of "wörld" 🎉\n'.repeat(30_000)}the end\n`

let job: Job

beforeEach(async () => {
  const build = await make.build({ state: 'passed', finished_at: new Date() })
  job = await make.job({ build, state: 'passed', finished_at: new Date() })
  const parts = text.match(/[^]{1,5000}/gu) ?? []
  await make.log(job, ...parts)
  await age(db, 600)
})

const plain = { accept: 'text/plain' }

describe('a log in a bucket', () => {
  test('is served by a redirect to a signed address, for clients that can read it', async () => {
    const { ctx, call } = await withBucket()
    await archiveLogs(ctx)
    expect(await partsOfLog(db, job.id)).toEqual([])

    const found = await call(`GET /jobs/${job.id}/log`, { ...plain, 'accept-encoding': 'br, gzip' })
    expect([found.statusCode, found.body]).toEqual([307, ''])
    expect(found.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    const quiet = await call(`GET /jobs/${job.id}/log?cors_hax=true`, {
      ...plain,
      'accept-encoding': 'gzip',
    })
    expect([quiet.statusCode, quiet.body]).toEqual([204, ''])
    expect(quiet.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-expose-headers': expect.stringMatching(/^Location, /),
    })
    const quietly = new URL(String(quiet.headers.location))
    expect(await (await fetch(quietly)).text()).toBe(text)
    const location = new URL(String(found.headers.location))
    expect(location.origin).toBe(endpoint)
    expect(location.searchParams.get('X-Amz-Expires')).toBe('60')
    const sent = await fetch(location)
    expect(sent.status).toBe(200)
    expect(sent.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(sent.headers.get('content-disposition')).toBe(`inline; filename="${job.id}"`)
    expect(await sent.text()).toBe(text)

    // The address is for this object, and for reading.
    expect((await fetch(location, { method: 'PUT', body: 'x' })).status).toBe(403)
    location.searchParams.set('X-Amz-Expires', '600')
    expect((await fetch(location)).status).toBe(403)
  })

  test.each<[string, string, Record<string, string>]>([
    ['without gzip', '/jobs/1/log', plain],
    ['that do not accept gzip', '/jobs/1/log', { ...plain, 'accept-encoding': 'gzip;q=0' }],
    [
      'that accept everything but gzip',
      '/jobs/1/log',
      { ...plain, 'accept-encoding': 'gzip;q=0, *' },
    ],
    ['as JSON', '/jobs/1/log', { accept: 'application/json', 'accept-encoding': 'gzip' }],
    [
      'for a byte range',
      '/jobs/1/log',
      { ...plain, 'accept-encoding': 'gzip', range: 'bytes=0-9' },
    ],
    ['without codes', '/jobs/1/log?deansi=true', { ...plain, 'accept-encoding': 'gzip' }],
    ["by the log's id", '/logs/1', { ...plain, 'accept-encoding': 'gzip;q=0' }],
    ['as text in V3', '/v3/job/1/log.txt', plain],
  ])('is sent by the service to calls %s', async (_name, address, headers) => {
    const { ctx, call } = await withBucket()
    const before = await call(`GET ${address}`, headers)
    await archiveLogs(ctx)
    const after = await call(`GET ${address}`, headers)
    expect([after.statusCode, after.body]).toEqual([before.statusCode, before.body])
    expect(after.statusCode).toBeLessThan(300)
  })

  test('keeps its ETag in HEAD responses, and is not sent as an image', async () => {
    const { ctx, call } = await withBucket()
    const gzip = { 'accept-encoding': 'gzip' }
    const head = () => call('HEAD /jobs/1/log', { ...plain, ...gzip })
    const before = await head()
    await archiveLogs(ctx)
    const after = await head()
    expect([after.statusCode, after.headers.etag]).toEqual([200, before.headers.etag])
    expect((await call('GET /jobs/1/log', { accept: 'image/png', ...gzip })).statusCode).toBe(406)
  })

  test('is sent in parts to clients that accept nothing else, and never redirected if LOG_REDIRECTS is off', async () => {
    const { ctx, call } = await withBucket()
    await archiveLogs(ctx)
    const headers = { accept: 'application/json; chunked=true', 'accept-encoding': 'gzip;q=0.5' }
    expect((await call('GET /jobs/1/log', headers)).statusCode).toBe(200)
    const inside = await withBucket({ logRedirects: false })
    const found = await inside.call('GET /jobs/1/log', { ...plain, 'accept-encoding': 'gzip' })
    expect(found.statusCode).toBe(200)
  })

  test('is deleted from the bucket with its build', async () => {
    const { ctx } = await withBucket()
    const before = (await objectsInBucket()).length
    await archiveLogs(ctx)
    expect(await objectsInBucket()).toHaveLength(before + 1)
    await db.deleteFrom('builds').execute()
    await archiveLogs(ctx)
    expect(await objectsInBucket()).toHaveLength(before)
  })

  test('is read from the bucket even after another store was configured', async () => {
    const { ctx } = await withBucket()
    await archiveLogs(ctx)
    const { call } = await withBucket({ objectStoreUrl: 'file:///nowhere' })
    expect((await call('GET /jobs/1/log', plain)).body).toBe(text)
    const found = await call('GET /jobs/1/log', { ...plain, 'accept-encoding': '*' })
    expect([found.statusCode, new URL(String(found.headers.location)).origin]).toEqual([
      307,
      endpoint,
    ])
  })
})

/** A store that responds as a test specifies. */
async function double(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const refusing =
  (status: number, code: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
  }

const hangingUp: RequestListener = (request) => void request.socket.destroy()

describe('a store', () => {
  test('in order passes its examination', async () => {
    const { store } = await withBucket()
    expect(await store?.examine()).toEqual([])
  })

  test('that rejects the key is reported, and logs stay in the database', async () => {
    const { ctx, store } = await withBucket({ awsSecretAccessKey: 'wrong' })
    await archiveLogs(ctx)
    expect(await partsOfLog(db, job.id)).not.toEqual([])
    await expect(store?.examine()).rejects.toMatchObject({
      reason: expect.stringMatching(/refused to .* with 403 .*check AWS_ACCESS_KEY_ID/),
    })
  })

  test.each([
    ['has no bucket of that name', refusing(404, 'NoSuchBucket'), 'create the bucket'],
    ['is overloaded', refusing(503, 'SlowDown'), 'with 503 SlowDown'],
    ['hangs up', hangingUp, 'cannot be reached: '],
  ])('that %s delays archiving', async (_name, answer, reason) => {
    const { ctx, store } = await withBucket({ awsEndpointUrl: await double(answer) })
    await archiveLogs(ctx)
    expect(await partsOfLog(db, job.id)).not.toEqual([])
    expect(await db.selectFrom('log_objects').selectAll().execute()).toEqual([])
    await expect(store?.put('a', Buffer.from('x'))).rejects.toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining(reason),
    })
  })

  test('is retried after a temporary error', async () => {
    let calls = 0
    const awsEndpointUrl = await double((_request, response) => {
      calls += 1
      response.writeHead(calls < 3 ? 500 : 200).end()
    })
    const { store } = await withBucket({ awsEndpointUrl })
    await store?.put('a', Buffer.from('x'))
    expect(calls).toBe(3)
  })

  test('with a different clock gets signatures with its own time', async () => {
    const dates: unknown[] = []
    const awsEndpointUrl = await double((request, response) => {
      dates.push(request.headers['x-amz-date'])
      if (dates.length > 1) return response.writeHead(200).end()
      const time = '<ServerTime>2031-05-06T07:08:09Z</ServerTime>'
      response.writeHead(403).end(`<Error><Code>RequestTimeTooSkewed</Code>${time}</Error>`)
    })
    const { store } = await withBucket({ awsEndpointUrl })
    await store?.put('a', Buffer.from('x'))
    expect(String(dates[1])).toMatch(/^20310506T0708/)
  })

  test('that sends a cut response causes an error, not a cut log', async () => {
    const { store } = await withBucket({
      awsEndpointUrl: await double((_request, response) => {
        response.writeHead(206).end('half')
      }),
    })
    await expect(store?.get('a', { start: 0, end: 10 })).rejects.toMatchObject({
      reason: expect.stringContaining('sent 4 of 10 bytes'),
    })
  })

  test('that keeps versions is reported by doctor', async () => {
    const { store } = await withBucket({
      awsEndpointUrl: await double((request, response) => {
        const isQuestion = request.url?.includes('versioning') === true
        const isRead = request.method === 'GET'
        const status = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
        const body = 'written by an examination, and deleted at once\n'
        response.writeHead(200).end(isQuestion ? status : isRead ? body : '')
      }),
    })
    expect(await store?.examine()).toEqual([expect.stringContaining('only hidden')])
  })
})
