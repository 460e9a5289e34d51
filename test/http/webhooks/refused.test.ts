import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { sign } from '../../../src/secrets/signature.ts'
import { ownDatabase } from '../../support/database.ts'
import { openIntake, push, secrets, type Sending, taken } from './intake.ts'

const { db } = await ownDatabase()
const { ctx, deliver, port, enqueued, stored, written } = await openIntake(db)

describe('a webhook is refused', () => {
  const signature = (value: string | undefined) => ({ headers: { 'x-hub-signature-256': value } })

  test.each<[string, Sending]>([
    ['without a signature', signature(undefined)],
    ['with another secret', { secret: 'guess' }],
    ['with an empty secret', { secret: '' }],
    ['with the secret of the other provider', { secret: secrets.local }],
    ['with an empty signature', signature('sha256=')],
    ['with a signature that is too short', signature('sha256=00')],
    ['with a signature that is too long', signature(`sha256=${'0'.repeat(128)}`)],
    ['without the name of a digest', signature('0'.repeat(64))],
    [
      'with an outdated signature only',
      { headers: { 'x-hub-signature': 'x', 'x-hub-signature-256': 'sha1=' } },
    ],
  ])('%s, and nothing of it is stored', async (_how, given) => {
    const before = written.lines().length
    expect(await deliver({ ...push, ref: 'refs/heads/treasure' }, given)).toEqual({
      status: 401,
      body: '{"error":"wrong signature: check the webhook secret on both sides"}',
    })
    expect(await stored()).toEqual([])
    expect(enqueued).toEqual([])
    // One line, and in it nothing of what anyone could have sent (WH-04).
    expect(written.lines().slice(before)).toEqual([
      expect.objectContaining({ msg: 'webhook with a wrong signature was rejected' }),
    ])
    expect(written.text()).not.toContain('treasure')
  })

  test('when a byte was changed on the way', async () => {
    const bytes = Buffer.from(JSON.stringify(push))
    const headers = { 'x-hub-signature-256': sign(secrets.codehost, bytes) }
    const changed = Buffer.concat([bytes, Buffer.from('\n')])
    expect(await deliver(changed, { headers })).toMatchObject({ status: 401 })
  })

  test('when it is empty', async () => {
    expect(await deliver(Buffer.alloc(0))).toMatchObject({ status: 422 })
    const none = await fetch(`http://127.0.0.1:${port}/webhooks/codehost`, { method: 'POST' })
    expect(none.status).toBe(422)
  })

  test.each(['{', 'null', '[]', '"text"', '7', 'payload={}', '\ufffd'])(
    'when it is not a JSON object: %s',
    async (text) => {
      expect(await deliver(Buffer.from(text))).toEqual({
        status: 400,
        body: '{"error":"the body is not a JSON object"}',
      })
    },
  )

  test.each(['', 'payload=', 'other={}', 'payload[]={}', 'payload[x]={}', '%zz'])(
    'when it is a form without a payload: %s',
    async (form) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { status } = await deliver(Buffer.from(form), { headers })
      expect(status).toBe(form === '' ? 422 : 400)
    },
  )

  test.each([
    { 'x-github-event': undefined },
    { 'x-github-delivery': undefined },
    { 'x-github-event': '' },
    { 'x-github-delivery': ' ' },
    { 'x-github-delivery': 'a'.repeat(101) },
    { 'x-github-delivery': "x'); drop table deliveries; --" },
  ])('when its headers are missing or invalid: %j', async (headers) => {
    expect(await deliver(push, { headers })).toMatchObject({ status: 400 })
    expect(await stored()).toEqual([])
  })

  test('when no secret is configured', async () => {
    for (const codehost of [[], ['']]) {
      const intake = { ...ctx.intake, secrets: { ...ctx.intake.secrets, codehost } }
      const closed = await createServer({ ...ctx, intake })
      const body = Buffer.from('{}')
      const headers = { 'x-hub-signature-256': sign('', body), 'x-github-event': 'push' }
      const answer = await closed.inject({
        method: 'POST',
        url: '/webhooks/codehost',
        headers,
        payload: body,
      })
      expect(answer.statusCode).toBe(404)
    }
  })

  test('when the method is GET', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/webhooks/codehost`)).status).toBe(404)
  })
})

describe('the size of a webhook', () => {
  const most = 25 * 1024 * 1024

  test('can reach the maximum of the code host', async () => {
    const filler = 'x'.repeat(most - 40)
    const body = Buffer.from(JSON.stringify({ filler }).padEnd(most, ' '))
    expect(body.length).toBe(most)
    expect(await deliver(body)).toEqual(taken)
    expect(await stored()).toMatchObject([{ guid: 'guid-1' }])
  })

  test('above the maximum is refused before it is read', async () => {
    const status = await new Promise((resolve, reject) => {
      const sending = request(
        {
          port,
          method: 'POST',
          path: '/webhooks/codehost',
          headers: { 'content-length': most + 1 },
        },
        (answer) => {
          resolve(answer.statusCode)
          sending.destroy()
        },
      )
      sending.on('error', reject)
      sending.flushHeaders()
    })
    expect(status).toBe(413)
  })
})

test('a webhook that cannot be stored is answered with an error, so that the code host keeps it', async () => {
  const accept = () => Promise.reject(new Error('database is away'))
  const failing = await createServer({ ...ctx, intake: { ...ctx.intake, accept } })
  const body = Buffer.from(JSON.stringify({ ...push, ref: 'refs/heads/riches' }))
  const headers = {
    'x-hub-signature-256': sign(secrets.codehost, body),
    'x-github-event': 'push',
    'x-github-delivery': 'guid-1',
  }
  const answer = await failing.inject({
    method: 'POST',
    url: '/webhooks/codehost',
    headers,
    payload: body,
  })
  expect([answer.statusCode, answer.body]).toEqual([500, 'internal server error'])
  expect(written.text()).toContain('database is away')
  expect(written.text()).not.toContain('riches')
})
