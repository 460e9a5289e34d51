import { beforeEach, describe, expect, inject, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { openDatabase } from '../../src/store/sql/connection.ts'
import { testContext } from '../support/context.ts'
import { type CapturedLog, capturedLog } from '../support/log.ts'
import { caller } from './door.ts'

const { db, close } = openDatabase(inject('server'), () => {})
await close()

let written: CapturedLog
let call: ReturnType<typeof caller>

// Every query finds the database closed, which is unexpected.
beforeEach(async () => {
  written = capturedLog()
  call = caller(await createServer({ ...testContext(db), log: written.log }))
})

const v3 = { 'service-api-version': '3' }
const id = { 'x-request-id': 'abc-1' }
const page = { accept: 'text/html' }

describe('a bug is reported without internal details', () => {
  test.each([
    ['GET /repos/1', {}, 'internal server error'],
    ['GET /repos/1', id, 'internal server error (abc-1)'],
    ['GET /', { ...id, authorization: 'token x' }, 'internal server error (abc-1)'],
    ['GET /nowhere', { authorization: 'token x' }, 'internal server error'],
    ['GET /%zz', { authorization: 'token x' }, 'internal server error'],
    ['GET /repos/1?callback=show', {}, 'internal server error'],
  ])('in V2.1: %s %j', async (request, headers, body) => {
    const answer = await call(request, headers)
    expect([answer.statusCode, answer.body]).toEqual([500, body])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain;charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  test.each([
    ['GET /repo/1', { ...v3, ...id }],
    ['GET /v3/repo/1', {}],
    ['PUT /repo/1', { ...v3, authorization: 'token x' }],
    ['GET /%zz', { ...v3, authorization: 'token x' }],
  ])('in V3: %s %j', async (request, headers) => {
    const answer = await call(request, headers)
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      '@type': 'error',
      error_type: 'server_error',
      error_message: 'internal server error',
    })
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test('on a page, with the id of the request for the log', async () => {
    const answer = await call('GET /', { ...page, ...id })
    expect(answer.statusCode).toBe(500)
    expect(answer.headers['content-type']).toBe('text/html;charset=utf-8')
    expect(answer.body).toContain('Something went wrong')
    expect(answer.body).toContain('abc-1')
    expect(answer.body).not.toMatch(/destroyed|pool|\.ts/)
  })
})

describe('a bug is logged once, with the id of the request', () => {
  test.each([
    ['GET /repos/1', id],
    ['GET /repo/1', { ...v3, ...id }],
    ['GET /', { ...page, ...id }],
    ['GET /%zz', { ...id, authorization: 'token x' }],
  ])('%s %j', async (request, headers) => {
    await call(request, headers)
    expect(written.lines()).toEqual([
      expect.objectContaining({
        level: 50,
        msg: 'unexpected error',
        request_id: 'abc-1',
        err: expect.objectContaining({ message: expect.any(String), stack: expect.any(String) }),
      }),
    ])
  })

  test('also if the client sent no id', async () => {
    await call('GET /repos/1')
    expect(written.lines()).toEqual([
      expect.objectContaining({ msg: 'unexpected error', request_id: expect.any(String) }),
    ])
  })
})

test('an error of the caller is not logged', async () => {
  for (const request of [
    'GET /nowhere',
    'GET /%zz',
    'POST /',
    'GET /builds/x',
    'GET /?callback=(',
  ]) {
    await call(request)
    await call(request, v3)
  }
  expect(written.lines()).toEqual([])
})

test('a token is never logged', async () => {
  await call('GET /repos/1', { authorization: 'token bsvc_sesame' })
  expect(written.text()).not.toContain('sesame')
})
