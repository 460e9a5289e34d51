import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../src/http/core/listen.ts'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { capturedLog } from '../support/log.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const written = capturedLog()
const server = await createServer({ ...testContext(db), log: written.log })
const call = caller(server)
const port = await listen(server, { host: '127.0.0.1', port: 0 })
afterAll(() => server.close())

beforeAll(async () => {
  await make.log(await make.job({ build: await make.build() }), 'hello\n')
})

const v3 = { 'service-api-version': '3' }
const chunked = { accept: 'application/json; chunked=true' }

const ids = [
  "1'",
  "1' or '1'='1",
  '1;drop table builds',
  '1--',
  '1/**/or/**/1',
  '0x1',
  '1e0',
  '+1',
  '-1',
  '1.0',
  '\u0661',
  '９',
  ' 1',
  '1\u0000',
  '9007199254740993',
  '9223372036854775808',
  '1'.repeat(1000),
  'NaN',
  'Infinity',
  'null',
  '__proto__',
  'constructor',
  '..%2f1',
  '{"$gt":0}',
]

describe('an invalid id finds nothing', () => {
  test.each(ids)('%j', async (id) => {
    const escaped = encodeURIComponent(id)
    for (const path of ['builds', 'jobs', 'requests', 'repos/1/builds', 'repos/1/branches']) {
      const answer = await call(`GET /${path}/${escaped}`)
      expect([path, answer.statusCode]).toEqual([path, 404])
    }
    // What is no id is an owner's name.
    expect((await call(`GET /repos/${escaped}`)).json()).toEqual(
      /^\d+$|\//.test(id) ? { file: 'not found' } : { repos: [] },
    )
    for (const name of ['builds', 'jobs', 'branches', 'repos']) {
      const answer = await call(`GET /${name}?ids=x${escaped}`)
      expect([name, answer.json()]).toMatchObject([name, { [name]: [] }])
    }
    expect((await call(`GET /jobs/${escaped}/log`)).statusCode).toBe(404)
    for (const path of ['repo', 'build', 'job']) {
      expect((await call(`GET /${path}/${escaped}`, v3)).statusCode).toBe(404)
    }
    expect((await call(`GET /job/${escaped}/log?log.token=${escaped}`, v3)).statusCode).not.toBe(
      500,
    )
    expect((await call(`GET /repo/local/${escaped}`, v3)).statusCode).toBe(404)
    expect((await call(`GET /repo/${escaped}%2Fhello`, v3)).statusCode).toBe(404)
    expect((await call(`GET /requests?repository_id=${escaped}`)).statusCode).toBe(404)
    expect((await call(`GET /requests?slug=${escaped}/hello`)).statusCode).toBe(404)
    expect(
      (await call(`GET /octavia/hello/builds/${escaped}`, { accept: 'text/html' })).statusCode,
    ).toBe(404)
  })
})

const queries = [
  '__proto__=1',
  '__proto__[a]=1',
  '__proto__[callback]=alert',
  'constructor[prototype][a]=1',
  'constructor=1',
  'toString=1',
  'hasOwnProperty=1',
  'limit[toString]=1',
  'limit[__proto__]=1',
  'older_than[valueOf]=1',
  'a[b][c][d][e][f][g]=1',
  'a[]=1&a[x]=2&a=3',
  'include[__proto__]=x',
  'include[0][x]=repository.owner',
  '[]=1',
  '[=1&]=2',
  '=1',
  '&&&===',
  '%00=%00',
  '%zz=1&x=%E0%A4%A',
  'after[x]=1&part_numbers[x]=2',
  `${'a'.repeat(5000)}=1`,
  Array.from({ length: 2000 }, (_, index) => `p${index}=1`).join('&'),
  'part_numbers='.concat('1,'.repeat(5000)),
  `include=${'nothing.at_all,'.repeat(800)}`,
]

describe('an odd query has no effect', () => {
  test.each(queries.map((query) => [query.slice(0, 60), query]))('%s', async (_shown, query) => {
    const paths = [
      '/',
      '/config',
      '/builds/1',
      '/builds?repository_id=1',
      '/branches?repository_id=1',
      '/jobs?state=created',
      '/repos',
      '/jobs/1/log',
      '/requests?repository_id=1',
    ]
    for (const path of paths) {
      const answer = await call(
        `GET ${path}${path.includes('?') ? '&' : '?'}${query}`,
        chunkedAt(path),
      )
      expect([path, answer.statusCode]).toEqual([path, 200])
    }
    for (const path of ['/', '/repo/1', '/build/1', '/build/1/jobs', '/job/1', '/job/1/log']) {
      const answer = await call(`GET ${path}?${query}`, v3)
      expect([path, answer.statusCode]).toEqual([path, 200])
    }
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })

  const chunkedAt = (path: string) => (path.endsWith('/log') ? chunked : {})
})

describe('no parameter becomes a header', () => {
  test.each([
    '/jobs/1/log?attachment=%0d%0aset-cookie:x=1',
    '/jobs/1/log?attachment=evil.html',
    '/?callback=%0d%0aset-cookie:x=1',
    '/v3?x=%0d%0aset-cookie:x=1',
    '/v3/..%2f%2fevil.example',
    '//evil.example/v3',
  ])('%s', async (path) => {
    const { headers } = await call(`GET ${path}`)
    expect(headers).not.toHaveProperty('set-cookie')
    expect(JSON.stringify(headers)).not.toContain('evil')
  })
})

/** Sends bytes as they are, and returns what came back until the server hung up. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', reject)
  })
}

const firstLine = async (text: string) => (await sendRaw(text)).split('\r\n')[0]

describe('on a socket', () => {
  test('HEAD gets no body', async () => {
    const text = 'HEAD /builds/1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
    const [head, body] = (await sendRaw(text)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toMatch(/\r\ncontent-length: [1-9]\d+\r\n/)
    expect(body).toBe('')
  })

  test.each([
    ['GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 200],
    ['NONSENSE\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nx-request-id: a\u0001b\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: a\u007fb\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: ünï\r\n\r\n', 200],
    ['GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: ünï\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET http://evil.example/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 200],
    ['OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n', 204],
  ])('%j gets %d', async (text, status) => {
    expect(await firstLine(text)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  test('a slow sender can hold a connection for at most two minutes', () => {
    expect(server.server.requestTimeout).toBe(120_000)
    expect(server.server.headersTimeout).toBeLessThanOrEqual(120_000)
    expect(server.server.headersTimeout).toBeGreaterThan(0)
  })

  test('slow senders do not delay other callers', async () => {
    const slow = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'))
    for (const socket of slow)
      socket.write('POST /builds/1 HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n')
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => fetch(`http://127.0.0.1:${port}/builds/1`)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    for (const socket of slow) socket.destroy()
  })

  test('a client that disconnects in the middle does no harm', async () => {
    const away = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) => {
      away.write('POST /builds/1 HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\nabc', () =>
        resolve(),
      )
    })
    away.destroy()
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })
})

test('a hundred callers at the same time get their own responses', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, () => make.user()))
  const seen = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const token = users[index % 10]?.token
      const headers = { ...v3, authorization: `token ${token}`, 'x-request-id': `call-${index}` }
      const answer = await call('GET /repo/1', headers)
      const { '@permissions': rights } = answer.json() as { '@permissions': { star: boolean } }
      return [answer.headers['x-request-id'], rights.star]
    }),
  )
  expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => [`call-${index}`, true]))
})

test('no attack above led to a bug', () => {
  expect(written.lines().filter(({ level }) => Number(level) >= 50)).toEqual([])
})
