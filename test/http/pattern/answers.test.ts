import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  content,
  json,
  noContent,
  redirect,
  stream,
  text,
  withCookie,
  withHeaders,
} from '../../../src/http/core/answer.ts'
import { del, type Endpoint, get, patch, post } from '../../../src/http/core/endpoint.ts'
import { apiGeneration } from '../../../src/http/core/generation.ts'
import { mount } from '../../../src/http/core/mount.ts'
import { send } from '../../../src/http/core/send.ts'
import { createServer, formAnswers } from '../../../src/http/server.ts'
import * as v3 from '../../../src/http/v3/core/action.ts'
import { v3 as v3Plugin } from '../../../src/http/v3/core/mount.ts'
import { pending, presented, showing } from '../../../src/http/v3/core/presented.ts'
import type { Models } from '../../../src/http/v3/core/resource.ts'
import { oneRepository } from '../../../src/http/v3/records/one-repository.ts'
import { repository } from '../../../src/http/v3/resources/repository.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const server = await createServer(ctx)
const call = caller(server)

const at = (path: string, answer: () => unknown): Endpoint => get(`/try/${path}`, { answer })

const badge = '<svg xmlns="http://www.w3.org/2000/svg"/>'
const cookie = { name: 'service.state', path: '/', sameSite: 'Lax', secure: true } as const

async function* lines() {
  for (const number of [1, 2, 3]) yield `${number} ${'x'.repeat(2000)}\n`
}

const endpoints: Endpoint[] = [
  at('empty', noContent),
  ...([301, 302, 303, 307] as const).map((status) =>
    at(`to-${status}`, () => redirect('https://elsewhere.example/a?b=1#c', status)),
  ),
  at('svg', () => content(Buffer.from(badge), 'image/svg+xml')),
  at('bytes', () => content(Uint8Array.from([0, 255, 13]), 'application/octet-stream')),
  at('lines', () => stream(lines(), 'text/plain;charset=utf-8', { 'x-kind': 'lines' })),
  at('accepted', () => json({ id: 1 }, 202)),
  ...Object.entries({
    empty: noContent(),
    redirect: redirect('/elsewhere'),
    json: json({ id: 1 }),
    text: text('hello', { 'x-first': '1' }),
    svg: content(Buffer.from(badge), 'image/svg+xml'),
  }).map(([name, answer]) =>
    at(`dressed-${name}`, () =>
      withCookie(
        withCookie(withHeaders(answer, { 'x-second': '2' }), { ...cookie, value: 'a:::b/ü;c' }),
        { ...cookie, name: 'old', value: '', maxAge: 0, sameSite: 'None', secure: false },
      ),
    ),
  ),
  patch('/try/thing', { answer: () => json({ changed: true }) }),
  del('/try/thing', { answer: noContent }),
  post('/try/thing', { answer: () => redirect('/try/empty', 303) }),
]

const representation = 'minimal'

const star = v3.patch('/repo/{repository.id}/try', {
  ...oneRepository,
  right: 'read',
  present: showing([{ resource: repository, representation }], (model: Models['repository']) =>
    pending('repository', {
      repository: presented(representation, repository, model),
      state_change: 'try',
    }),
  ),
})
const unstar = v3.del('/repo/{repository.id}/try', {
  ...oneRepository,
  right: 'read',
  present: showing([], noContent),
})

await server.register(async (scope) => {
  await formAnswers(scope, { ctx, generationOf: apiGeneration })
  mount(scope, endpoints, {
    ctx,
    generation: 'v2',
    send: (reply, result) => send(reply, result, 'application/json'),
  })
})
const callV3 = await smallApi(ctx, v3Plugin, [star.endpoint, unstar.endpoint])

beforeAll(async () => {
  await factories(db).repository()
})

test('204 is sent without a body, a type and a length', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { statusCode, body, headers } = await call(`${method} /try/empty`)
    expect([statusCode, body]).toEqual([204, ''])
    expect(headers).not.toHaveProperty('content-type')
    expect(headers).not.toHaveProperty('content-length')
  }
})

test.each([301, 302, 303, 307])('%i redirects, with an empty body', async (status) => {
  const { statusCode, body, headers } = await call(`GET /try/to-${status}`)
  expect([statusCode, body, headers.location]).toEqual([
    status,
    '',
    'https://elsewhere.example/a?b=1#c',
  ])
})

test('an image is sent with its type, without compression or a callback', async () => {
  const answer = await call('GET /try/svg?callback=take&pretty=true')
  expect([answer.statusCode, answer.body]).toEqual([200, badge])
  expect(answer.headers['content-type']).toBe('image/svg+xml')
  expect(answer.headers['content-length']).toBe(String(badge.length))
})

test('bytes are sent unchanged', async () => {
  const { rawPayload, headers } = await call('GET /try/bytes')
  expect([...rawPayload]).toEqual([0, 255, 13])
  expect(headers['content-type']).toBe('application/octet-stream')
})

test('a stream is sent whole, with its own headers', async () => {
  const expected = [1, 2, 3].map((number) => `${number} ${'x'.repeat(2000)}\n`).join('')
  const plain = await call('GET /try/lines')
  expect([plain.statusCode, plain.body]).toEqual([200, expected])
  expect(plain.headers).toMatchObject({
    'content-type': 'text/plain;charset=utf-8',
    'x-kind': 'lines',
  })
  const packed = await call('GET /try/lines', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(expected)
  expect((await call('HEAD /try/lines')).body).toBe('')
})

test('JSON is sent with the given status', async () => {
  const answer = await call('GET /try/accepted')
  expect([answer.statusCode, answer.json()]).toEqual([202, { id: 1 }])
})

describe('headers and cookies', () => {
  test.each([
    ['empty', 204],
    ['redirect', 302],
    ['json', 200],
    ['text', 200],
    ['svg', 200],
  ])('can be sent with any response: %s', async (name, status) => {
    const { statusCode, headers } = await call(`GET /try/dressed-${name}`)
    expect([statusCode, headers['x-second']]).toEqual([status, '2'])
    expect(headers['x-first']).toBe(name === 'text' ? '1' : undefined)
    expect(headers['set-cookie']).toEqual([
      'service.state=a%3A%3A%3Ab%2F%C3%BC%3Bc; Path=/; HttpOnly; SameSite=Lax; Secure',
      'old=; Path=/; Max-Age=0; HttpOnly; SameSite=None; Secure',
    ])
  })
})

test('every method can have an endpoint', async () => {
  expect((await call('PATCH /try/thing')).json()).toEqual({ changed: true })
  expect((await call('DELETE /try/thing')).statusCode).toBe(204)
  const seen = await call('POST /try/thing')
  expect([seen.statusCode, seen.headers.location]).toEqual([303, '/try/empty'])
})

test('V3 responds with pending for an unfinished change', async () => {
  const headers = { 'service-api-version': '3' }
  const answer = await callV3('PATCH /repo/1/try?foo=1', headers)
  expect(answer.statusCode).toBe(202)
  expect(answer.json()).toMatchObject({
    '@type': 'pending',
    '@warnings': [{ warning_type: 'ignored_parameter', parameter: 'foo' }],
    repository: {
      '@type': 'repository',
      '@href': '/repo/1',
      '@representation': 'minimal',
      slug: 'octavia/hello',
    },
    state_change: 'try',
    resource_type: 'repository',
  })
  expect((await callV3('DELETE /repo/1/try', headers)).statusCode).toBe(204)
})
