import { expect, test } from 'vitest'
import { acceptDeliveries } from '../../src/flow/deliveries/deliveries.ts'
import { createServer } from '../../src/http/server.ts'
import { sign } from '../../src/secrets/signature.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { caller } from '../http/door.ts'
import { testContext } from '../support/context.ts'
import { closedPort } from '../support/ports.ts'

const { db } = openDatabase({ host: '127.0.0.1', port: closedPort }, () => {})
const ctx = testContext(db)
const accept = async (delivery: Parameters<typeof ctx.intake.accept>[0]) => {
  const [stored = false] = await acceptDeliveries({ ...ctx, enqueueDeliveries() {} }, [delivery])
  return stored
}
const call = caller(await createServer({ ...ctx, intake: { ...ctx.intake, accept } }))

const v3 = { 'service-api-version': '3' }
const says = 'the service cannot reach its database: try again in a moment'

test.each([
  // The response contains the key that webhooks are signed with.
  'GET /config',
  ...['GET /repos/1', 'GET /builds/1', 'GET /jobs/1/log', 'GET /requests?repository_id=1'],
])('V2.1 responds with 503, and does not blame the caller: %s', async (request) => {
  const answer = await call(request)
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: says }])
  expect(answer.headers).toMatchObject({ 'retry-after': '10', 'cache-control': 'no-store' })
})

test.each(['GET /repo/1', 'GET /repo/1/branches', 'GET /repo/1/branch/main'])(
  'V3 responds with 503: %s',
  async (request) => {
    const answer = await call(request, v3)
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { '@type': 'error', error_type: 'service_unavailable', error_message: says },
    ])
    expect(answer.headers).toMatchObject({ 'retry-after': '10' })
  },
)

test('a call with a token that cannot be looked up gets 503', async () => {
  const answer = await call('GET /nowhere', { authorization: 'token x' })
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: says }])
})

test.each(['GET /', 'GET /octavia/hello', 'GET /octavia/hello/builds/1'])(
  'a page reports the outage: %s',
  async (request) => {
    const answer = await call(request, { accept: 'text/html' })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers).toMatchObject({ 'retry-after': '10' })
    expect(answer.body).toContain('The service cannot reach its database.')
  },
)

test.each([
  ['GET /', {}],
  ['GET /', v3],
  ['POST /lint?content=script:', {}],
  ['GET /lint', { accept: 'text/html' }],
  ['GET /docs/lint', { accept: 'text/html' }],
  ['GET /health', {}],
])('an address that needs no database responds as usual: %s %j', async (request, headers) => {
  expect((await call(request, headers)).statusCode).toBe(200)
})

test('a webhook is refused, so that the code host keeps it and records the failure', async () => {
  const body = Buffer.from(JSON.stringify({ ref: 'refs/heads/main', repository: { id: 1 } }))
  const headers = {
    'content-type': 'application/json',
    'x-hub-signature-256': sign('secret', body),
    'x-github-event': 'push',
    'x-github-delivery': 'guid-1',
  }
  const answer = await call('POST /webhooks/codehost', headers, body)
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: says }])
  expect(answer.headers).toMatchObject({ 'retry-after': '10' })
})
