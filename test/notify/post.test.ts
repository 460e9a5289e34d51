import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGuard } from '../../src/notify/guard.ts'
import { post } from '../../src/notify/post.ts'

const guard = createGuard({ allowed: ['127.0.0.0/8'] })

interface Received {
  request: IncomingMessage
  body: string
}

let server: Server
let url: string
let received: Received[]
let respond: { status: number; headers: Record<string, string> }

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ request, body })
      response.writeHead(respond.status, respond.headers).end('whatever')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

beforeEach(() => {
  received = []
  respond = { status: 200, headers: {} }
})

const hello = { secret: false, headers: { 'content-type': 'text/plain' }, body: 'hällo' }

test('a message arrives with its headers, at the full path', async () => {
  expect(await post({ ...hello, url: `${url}/a/b?c=d` }, guard)).toBe(200)
  const [{ request, body } = { request: undefined, body: '' }] = received
  expect(body).toBe('hällo')
  expect(request).toMatchObject({
    method: 'POST',
    url: '/a/b?c=d',
    headers: { 'content-type': 'text/plain', 'content-length': '6' },
  })
})

test('the part before the @ of an address is sent as credentials', async () => {
  await post({ ...hello, url: url.replace('http://', 'http://anna:s%40me@') }, guard)
  expect(received[0]?.request.headers.authorization).toBe(
    `Basic ${Buffer.from('anna:s@me').toString('base64')}`,
  )
})

test.each<[number, Record<string, string>, object]>([
  [302, { location: '/' }, { temporary: false, status: 302 }],
  [404, {}, { temporary: false, status: 404 }],
  [410, {}, { temporary: false, status: 410 }],
  [429, { 'retry-after': '17' }, { temporary: true, status: 429, retryAfter: 17 }],
  [503, { 'retry-after': '999999' }, { temporary: true, status: 503, retryAfter: 3600 }],
  [500, {}, { temporary: true, status: 500, retryAfter: null }],
])('a response of %i %j is a failure', async (status, headers, failure) => {
  respond = { status, headers }
  await expect(post({ ...hello, url }, guard)).rejects.toMatchObject(failure)
})

test('any other 2xx status is a success', async () => {
  respond = { status: 204, headers: {} }
  expect(await post({ ...hello, url }, guard)).toBe(204)
})

test('a message is retried when the target is unreachable', async () => {
  await expect(post({ ...hello, url: 'http://127.0.0.1:1/' }, guard)).rejects.toMatchObject({
    temporary: true,
    message: '127.0.0.1:1 cannot be reached (ECONNREFUSED)',
  })
})
