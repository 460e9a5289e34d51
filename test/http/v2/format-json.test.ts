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

describe('with `callback` a response is a script', () => {
  test.each(['show', 'a.b.c', '$', '_x1', 'jQuery123_456'])('that calls %s', async (name) => {
    const answer = await call(`GET /?callback=${encodeURIComponent(name)}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe(`/**/${name}({"hello":"world"})`)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/javascript;charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-length': String(answer.body.length),
    })
  })

  test('whatever the status', async () => {
    const answer = await call('GET /builds/9?callback=show')
    expect([answer.statusCode, answer.body]).toEqual([404, '/**/show({"file":"not found"})'])
    const nowhere = await call('GET /nowhere?callback=show')
    expect([nowhere.statusCode, nowhere.body]).toEqual([404, '/**/show({"file":"not found"})'])
  })

  test('in which no line ends where JSON has none', async () => {
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
  ])('but never one that is made of %j', async (name) => {
    const answer = await call(`GET /?callback=${encodeURIComponent(name)}`)
    expect([answer.statusCode, answer.body]).toEqual([400, 'Bad Request'])
    expect(answer.headers).toMatchObject({ 'content-type': 'text/plain;charset=utf-8' })
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test.each(['callback[]=a', 'callback=a&callback=b', 'callback[x]=a'])(
    'nor of several (%s)',
    async (query) => {
      expect((await call(`GET /?${query}`)).statusCode).toBe(400)
    },
  )

  test('unless it is empty', async () => {
    const answer = await call('GET /?callback=')
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.body).toBe('{"hello":"world"}')
  })

  test('unless it is not JSON', async () => {
    expect((await call('GET /jobs/1/log?callback=show')).headers['content-type']).toBe(
      'text/plain;charset=utf-8',
    )
    const refused = await call('GET /?callback=show', { authorization: 'token wrong' })
    expect([refused.statusCode, refused.body]).toEqual([403, 'access denied'])
    const options = await call('OPTIONS /?callback=show')
    expect([options.statusCode, options.body]).toEqual([204, ''])
  })

  test('unless it is of V3, which warns of the parameter', async () => {
    const answer = await call('GET /repo/1?callback=show', { 'service-api-version': '3' })
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.json()).toMatchObject({ '@warnings': [{ parameter: 'callback' }] })
  })
})

describe('with `pretty` JSON has lines', () => {
  test.each(['true', '1', '4'])('when it is %s', async (pretty) => {
    const answer = await call(`GET /?pretty=${pretty}`)
    expect(answer.body).toBe('{\n  "hello": "world"\n}')
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test.each(['false', '0', '-1', 'yes', ''])('but not when it is "%s"', async (pretty) => {
    expect((await call(`GET /?pretty=${pretty}`)).body).toBe('{"hello":"world"}')
  })

  test('in a script as well', async () => {
    const { body } = await call('GET /?pretty=1&callback=show')
    expect(body).toBe('/**/show({\n  "hello": "world"\n})')
  })
})
