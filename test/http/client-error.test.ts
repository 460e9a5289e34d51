import { connect, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))
beforeAll(() => server.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => server.close())

const address = () => `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`

const tooLong = {
  error:
    'the address and the headers are too long: together they can have 16 KiB; send parameters in ' +
    'the body, or ask for less at a time',
}

test.each(['/builds?ids=', '/repos?search=', '/nowhere?', '/'])(
  'GET %s with a megabyte gets an error in the usual form, for any origin',
  async (path) => {
    const answer = await fetch(`${address()}${path}${'1'.repeat(1_000_000)}`)
    expect(answer.status).toBe(431)
    expect(await answer.json()).toEqual(tooLong)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'Content-Type, Cache-Control, Expires, Etag, Last-Modified, X-Request-ID',
    })
  },
)

test('a query string of 15 KiB is read', async () => {
  const ids = Array.from({ length: 3000 }, (_, index) => index + 1000).join(',')
  const answer = await fetch(`${address()}/builds?ids=${ids}`)
  expect([answer.status, await answer.json()]).toEqual([200, { builds: [], jobs: [], commits: [] }])
})

/** Head and body of what is answered to these lines. */
async function answerTo(...lines: string[]): Promise<[head: string, body: string]> {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  return [head, body]
}

test('malformed HTTP gets an error in the same form', async () => {
  const [head, body] = await answerTo('no request')
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(JSON.parse(body)).toEqual({ error: 'malformed HTTP request' })
})

const close = 'Connection: close'
const message = 'the request has more than one Host header: send one'

test.each([
  ['GET /config', [], { error: message }],
  ['POST /webhooks/codehost', [], { error: message }],
  ['GET /nowhere', [], { error: message }],
  [
    'GET /repos',
    ['Service-API-Version: 3'],
    { '@type': 'error', error_type: 'wrong_params', error_message: message },
  ],
])('%s with two Host headers is refused', async (call, others, shown) => {
  const hosts = ['Host: ci.example.org', 'hOST: ci.example.org']
  const [head, body] = await answerTo(`${call} HTTP/1.1`, ...hosts, ...others, close)
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(JSON.parse(body)).toEqual(shown)
  const [once] = await answerTo(`${call} HTTP/1.1`, 'Host: ci.example.org', ...others, close)
  expect(once).not.toMatch(/^HTTP\/1\.1 400 /)
})
