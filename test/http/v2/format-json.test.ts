import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

beforeAll(async () => {
  const repository = await make.repository({ description: 'ends\u2028here\u2029' })
  await make.job({ build: await make.build({ repository }) })
})

describe('a response to a call with `callback`', () => {
  test.each(['show', 'a.b.c', '$', '_x1', 'jQuery123_456'])(
    'is a script that calls %s',
    async (name) => {
      const answer = await call(`GET /?callback=${encodeURIComponent(name)}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toBe(`/**/${name}({"hello":"world"})`)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/javascript;charset=utf-8',
        'x-content-type-options': 'nosniff',
        'content-length': String(answer.body.length),
      })
    },
  )

  test('is a script whatever its status', async () => {
    const answer = await call('GET /builds/9?callback=show')
    expect([answer.statusCode, answer.body]).toEqual([404, '/**/show({"file":"not found"})'])
    const nowhere = await call('GET /nowhere?callback=show')
    expect([nowhere.statusCode, nowhere.body]).toEqual([404, '/**/show({"file":"not found"})'])
  })

  test('escapes line separators that end a line in scripts but not in JSON', async () => {
    const { body } = await call('GET /repos/1?callback=show')
    expect(body).toContain('"description":"ends\\u2028here\\u2029"')
  })

  test.each([
    'alert(1)//',
    'a;b',
    'a b',
    'a.',
    '.a',
    'a..b',
    '1a',
    'a[0]',
    'a-b',
    '<script>',
    'é',
    'a\n',
    'a\r\nset-cookie:x=1',
    ' a',
  ])('is a refusal if the callback is %j', async (name) => {
    const answer = await call(`GET /?callback=${encodeURIComponent(name)}`)
    expect([answer.statusCode, answer.body]).toEqual([400, 'Bad Request'])
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain;charset=utf-8' })
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test.each(['callback[]=a', 'callback=a&callback=b', 'callback[x]=a'])(
    'is a refusal if there are several callbacks (%s)',
    async (query) => {
      expect((await call(`GET /?${query}`)).statusCode).toBe(400)
    },
  )

  test('stays JSON if the callback is empty', async () => {
    const answer = await call('GET /?callback=')
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.body).toBe('{"hello":"world"}')
  })

  test('stays as it is if it is not JSON', async () => {
    expect((await call('GET /jobs/1/log?callback=show')).headers['content-type']).toBe(
      'text/plain;charset=utf-8',
    )
    const refused = await call('GET /?callback=show', { authorization: 'token wrong' })
    expect([refused.statusCode, refused.body]).toEqual([403, 'access denied'])
    const options = await call('OPTIONS /?callback=show')
    expect([options.statusCode, options.body]).toEqual([204, ''])
  })

  test('stays JSON in V3, with a warning about the parameter', async () => {
    const answer = await call('GET /repo/1?callback=show', { 'service-api-version': '3' })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json()).toMatchObject({ '@warnings': [{ parameter: 'callback' }] })
  })
})

describe('a response to a call with `pretty`', () => {
  test.each(['true', '1', '4'])('is indented if the value is %s', async (pretty) => {
    const answer = await call(`GET /?pretty=${pretty}`)
    expect(answer.body).toBe('{\n  "hello": "world"\n}')
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test.each(['false', '0', '-1', 'yes', ''])(
    'is not indented if the value is "%s"',
    async (pretty) => {
      expect((await call(`GET /?pretty=${pretty}`)).body).toBe('{"hello":"world"}')
    },
  )

  test('is indented within a script too', async () => {
    const { body } = await call('GET /?pretty=1&callback=show')
    expect(body).toBe('/**/show({\n  "hello": "world"\n})')
  })
})
