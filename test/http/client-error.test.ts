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
  'GET %s and a megabyte is answered in the form of all errors, to any origin',
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

test('what is no request is answered in the same form', async () => {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('no request\r\n\r\n')
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(JSON.parse(body)).toEqual({ error: 'what was sent is no HTTP request that can be read' })
})
