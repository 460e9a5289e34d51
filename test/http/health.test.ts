import { expect, inject, test } from 'vitest'
import type { Readiness } from '../../src/domain/readiness.ts'
import { createServer } from '../../src/http/server.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { testContext } from '../support/context.ts'
import { caller } from './door.ts'
import { textIn } from './pages/reading.ts'

const { db, close } = openDatabase(inject('server'), () => {})
await close()

let parts: Readiness = {}
const call = caller(await createServer({ ...testContext(db), readiness: async () => parts }))

const page = { accept: 'text/html' }
const v3 = { 'service-api-version': '3' }

test.each([
  ['/health', {}],
  ['/uptime', {}],
  ['/uptime/', {}],
  ['/health', v3],
  ['/health', page],
])('%s reports that the process is alive, without a database: %j', async (path, headers) => {
  const answer = await call(`GET ${path}`, headers)
  expect([answer.statusCode, answer.body]).toEqual([200, 'OK'])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain;charset=utf-8',
    'cache-control': 'no-store',
  })
})

test.each([{}, v3, page])(
  '/ready reports each part, and is 200 if all are usable: %j',
  async (headers) => {
    parts = {
      database: { ok: true, says: 'it responds' },
      disk: { ok: true, says: 'there is room' },
    }
    const answer = await call('GET /ready', headers)
    expect([answer.statusCode, answer.json()]).toEqual([200, { ready: true, parts }])
    expect(answer.headers['cache-control']).toBe('no-store')
  },
)

test('/ready is 503 if a part is not usable', async () => {
  parts = { database: { ok: true, says: 'it responds' }, disk: { ok: false, says: 'it is full' } }
  const answer = await call('GET /ready')
  expect([answer.statusCode, answer.json()]).toEqual([503, { ready: false, parts }])
})

test.each(['health', 'ready', 'uptime'])('the name %s does not lead to an owner', async (name) => {
  const answer = await call(`GET /${name}/hello`, page)
  expect(answer.statusCode).toBe(404)
  expect(textIn(answer.body)).toContain('There is nothing at this address')
})
