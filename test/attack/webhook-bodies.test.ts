import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { sign } from '../../src/secrets/signature.ts'
import { openIntake, push, secrets, taken } from '../http/webhooks/intake.ts'
import { ownDatabase } from '../support/database.ts'

const mebibyte = 1024 * 1024

const { db } = await ownDatabase()
const changes = { token: 'token of this process', report: async () => 0 }
const { deliver, port, stored } = await openIntake(db, { changes })

const open: ClientRequest[] = []
afterEach(() => {
  for (const sending of open.splice(0)) sending.destroy()
})

/** Headers of a webhook whose signature has the right form. */
const usual = {
  'x-github-event': 'push',
  'x-github-delivery': 'guid-1',
  'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
}

/** Sends headers, and leaves the body to the caller. */
function begin(headers: Record<string, string | number>, path = '/webhooks/codehost') {
  const sending = request({ port, method: 'POST', path, headers })
  open.push(sending)
  sending.on('error', () => {})
  sending.flushHeaders()
  const response = once(sending, 'response').then(([answer]) => answer as IncomingMessage)
  response.catch(() => {})
  return { sending, response }
}

async function sentBytes(sending: ClientRequest, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += mebibyte) {
    await new Promise((resolve) => sending.write(Buffer.alloc(mebibyte, 0x20), resolve))
  }
}

test('a gzip bomb is refused before it is read', async () => {
  const bomb = gzipSync(Buffer.alloc(24 * mebibyte))
  const headers = { 'content-encoding': 'gzip' }
  expect(await deliver(bomb, { headers })).toEqual({
    status: 415,
    body: '{"error":"compressed request bodies are not supported: send the body without encoding"}',
  })
  const { response } = begin({ ...usual, ...headers, 'content-length': bomb.length })
  expect((await response).statusCode).toBe(415)
})

test.each([
  ['without an event', 400, { ...usual, 'x-github-event': '' }],
  ['without a delivery', 400, { ...usual, 'x-github-delivery': '' }],
  ['without a signature', 401, { ...usual, 'x-hub-signature-256': '' }],
  ['with a malformed signature', 401, { ...usual, 'x-hub-signature-256': 'sha256=00' }],
  ['that is too large', 413, { ...usual, 'content-length': 26 * mebibyte }],
])('a body %s is refused before it is read', async (_how, status, headers) => {
  const { response } = begin({ 'content-length': mebibyte, ...headers })
  expect((await response).statusCode).toBe(status)
})

test('large unfinished bodies are refused in turn, and small ones are accepted', async () => {
  const large = [22, 21, 20].map((size) => ({ size, ...begin(usual) }))
  for (const { sending, size } of large) await sentBytes(sending, size * mebibyte)
  // Together they exceed the budget, so the oldest is refused.
  const refused = await large[0]?.response
  expect(refused?.statusCode).toBe(503)
  expect(refused?.headers['retry-after']).toBe('30')
  expect(await deliver(push)).toEqual(taken)
  expect(await stored()).toHaveLength(1)
})

test.each(['/nowhere', '/repos/octavia/hello/nothing', '/webhooks/local/changes'])(
  'a body for %s is refused before it is read',
  async (path) => {
    const { response } = begin({ 'content-length': mebibyte }, path)
    expect((await response).statusCode).toBe(path.endsWith('changes') ? 401 : 404)
  },
)

test('bodies for the linter count towards the budget as well', async () => {
  const others = Array.from({ length: 4 }, () => begin({ 'content-length': 200 * 1024 }, '/lint'))
  for (const { sending } of others) sending.write(Buffer.alloc(190 * 1024))
  const { sending } = begin(usual)
  await sentBytes(sending, 24 * mebibyte)
  const second = begin(usual)
  await sentBytes(second.sending, 25 * mebibyte)
  await sentBytes(sending, mebibyte / 2)
  await Promise.all(
    others.slice(0, 1).map(async ({ response }) => {
      expect((await response).statusCode).toBe(503)
    }),
  )
})

test('the memory of a closed connection is free again', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { sending } = begin(usual)
    await sentBytes(sending, 20 * mebibyte)
    const closed = new Promise((resolve) => sending.once('close', resolve))
    sending.destroy()
    await closed
    // By the next completed call the server has noticed the closed connection as well.
    expect(await deliver(push)).toEqual(taken)
  }
  // The body would be refused if the closed connections still counted.
  const body = Buffer.from(JSON.stringify(push).padEnd(24 * mebibyte, ' '))
  const headers = { 'x-hub-signature-256': sign(secrets.codehost, body) }
  expect(await deliver(body, { headers })).toEqual(taken)
})
