import { beforeAll, describe, expect, test } from 'vitest'
import { get, post } from '../../../src/http/core/endpoint.ts'
import { flag, list, text } from '../../../src/http/parameters/kinds.ts'
import { ofType } from '../../../src/http/parameters/parameter.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2 } from '../../../src/http/v2/mount.ts'
import { v3 } from '../../../src/http/v3/core/mount.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { smallApi } from './small-api.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const real = caller(await createServer(ctx))

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const parts = { 'content-type': 'multipart/form-data; boundary=b' }
const v3Header = { 'service-api-version': '3' }

test('a body that is nested too deep is refused by an endpoint that reads nested values', async () => {
  const make = factories(db)
  const pusher = await make.user()
  const repository = await make.repository()
  await make.permission(pusher, repository, 'push')
  const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels)
  const asked = `POST /repo/${repository.id}/requests`
  const headers = { ...json, ...v3Header, authorization: `token ${pusher.token}` }
  for (const levels of [300, 20_000]) {
    const answer = await real(asked, headers, `{"request": {"config": ${nested(levels)}}}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      error_message: 'the body must not be nested more than 200 levels deep',
    })
  }
})

describe('in V2.1', () => {
  const accepts = { 'hook.id': text(), 'hook.active': flag(), ids: list(), name: text() }
  const endpoints = [
    post('/hooks', { accepts, answer: (_call, values) => ({ values }) }),
    post('/hooks/:id', { answer: ({ given, params }) => ({ given, params }) }),
    post('/env_vars', { body: 'json', answer: ({ given }) => ({ given }) }),
    post('/secret', { login: true, answer: ({ viewer, given }) => [viewer.user?.login, given] }),
    get('/hooks', { answer: ({ given }) => ({ given }) }),
  ]
  const call = smallApi(ctx, v2, endpoints)
  const answered = async (...asked: Parameters<Awaited<typeof call>>) => {
    const answer = await (await call)(...asked)
    return answer.json<unknown>()
  }

  const multipart = [
    ['hook[active]', 'true'],
    ['hook[id]', '82'],
    ['ids[]', '1'],
    ['ids[]', '2,3'],
  ].map(
    ([name, value]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )

  test.each([
    [form, 'hook[active]=true&hook[id]=82&ids[]=1&ids[]=2,3'],
    [form, 'hook%5Bactive%5D=1&hook%5Bid%5D=82&ids=1&ids=2&ids=3'],
    [form, 'hook[active]=true&hook[id]=82&ids[0]=1&ids[1]=2&ids[2]=3'],
    [parts, `${multipart.join('')}--b--\r\n`],
    [json, '{"hook": {"active": true, "id": "82"}, "ids": [1, "2,3"]}'],
    [
      { 'content-type': 'text/json; charset=utf-8' },
      '{"hook":{"active":1,"id":"82"},"ids":"1,2,3"}',
    ],
  ])('a body of any type is nested: %j %s', async (headers, body) => {
    expect(await answered('POST /hooks?name=q', headers, body)).toEqual({
      values: { 'hook.id': '82', 'hook.active': true, ids: ['1', '2', '3'], name: 'q' },
    })
  })

  test('the path takes precedence over the body, and the body over the query', async () => {
    expect(await answered('POST /hooks/1?id=2&a=q&b=q', json, '{"id": 3, "a": "body"}')).toEqual({
      given: { id: 3, a: 'body', b: 'q' },
      params: { id: '1' },
    })
  })

  test.each([json, form, {}])('JSON is read whatever its content type: %j', async (headers) => {
    const body = '{"env_var": {"name": "A"}}'
    expect(await answered('POST /env_vars', headers, body)).toEqual({
      given: { env_var: { name: 'A' } },
    })
    const refused = await (await call)('POST /env_vars', headers, 'name=A')
    expect([refused.statusCode, refused.body]).toEqual([400, 'Invalid JSON in request body'])
    expect(refused.headers['content-type']).toBe('text/plain;charset=utf-8')
  })

  test.each(['{', '{"a": 1', 'a', '[1]', '3', 'null'])(
    '%s is 400, because it is not a JSON object',
    async (body) => {
      const refused = await (await call)('POST /hooks', json, body)
      const message = /^(?:Failed to parse body as JSON|the body must be a JSON object)$/
      expect([refused.statusCode, refused.json()]).toEqual([
        400,
        { error: expect.stringMatching(message) as unknown },
      ])
    },
  )

  test.each([
    ['POST /hooks', json, ''],
    ['POST /hooks', { 'content-type': 'text/yaml' }, '{"name": "x"'],
    ['POST /hooks', {}, '{"name": "x"'],
  ])(
    'an empty body or a body of another type holds no parameters: %s %j',
    async (asked, headers, body) => {
      expect(await answered(asked, headers as Record<string, string>, body)).toEqual({
        values: { 'hook.active': false },
      })
    },
  )

  test('thousands of values are all read, in every notation', async () => {
    const ids = Array.from({ length: 5000 }, (_value, index) => String(index))
    for (const body of [`ids[]=${ids.join('&ids[]=')}`, `ids=${ids.join('&ids=')}`]) {
      expect(await answered('POST /hooks', form, body)).toMatchObject({ values: { ids } })
    }
    expect(await answered('POST /hooks', json, JSON.stringify({ ids }))).toMatchObject({
      values: { ids },
    })
    const names = ids.slice(0, 1500)
    expect(await answered(`GET /hooks?a=${names.join('&a=')}`)).toEqual({ given: { a: names } })
  })

  test.each(['__proto__[x]=1', 'constructor[prototype][x]=1', 'a[__proto__][x]=1'])(
    '%s changes no prototype',
    async (query) => {
      await answered('POST /hooks', form, query)
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    },
  )

  describe('a token in the body', () => {
    let token: string
    beforeAll(async () => {
      token = (await factories(db).user('anna')).token
    })

    test.each([
      [json, () => JSON.stringify({ access_token: token, a: '1' })],
      [form, () => `access_token=${token}&a=1`],
    ])('is read, and does not count as a parameter: %j', async (headers, body) => {
      expect(await answered('POST /secret', headers, body())).toEqual(['anna', { a: '1' }])
    })

    test('is also read in V3', async () => {
      const headers = { ...v3Header, ...json }
      const wrong = await real('POST /lint', headers, '{"access_token":"wrong","content":"a"}')
      expect([wrong.statusCode, wrong.json()]).toMatchObject([
        403,
        { error_type: 'wrong_credentials' },
      ])
    })

    test('is 403 if it is wrong, and ignored if it is empty', async () => {
      const wrong = await (await call)('POST /hooks', json, '{"access_token": "wrong"}')
      expect([wrong.statusCode, wrong.body]).toEqual([403, 'access denied'])
      const none = await (await call)('POST /secret', json, '{"access_token": ""}')
      expect([none.statusCode, none.body]).toEqual([401, 'no access token supplied'])
    })

    test('is refused in a query', async () => {
      const none = await (await call)(`POST /secret?access_token=${token}`)
      expect(none.statusCode).toBe(403)
    })

    test('is ignored if there is a token in the header', async () => {
      const headers = { ...json, authorization: `token ${token}` }
      expect(await answered('POST /secret', headers, '{"access_token": "wrong"}')).toEqual([
        'anna',
        {},
      ])
    })
  })

  test('the caller is checked before the body', async () => {
    const headers = { ...json, authorization: 'token wrong' }
    expect((await (await call)('POST /hooks', headers, '{')).statusCode).toBe(403)
    expect((await (await call)('POST /secret', json, '{')).statusCode).toBe(401)
  })
})

describe('in V3', () => {
  const accepts = { ...ofType('lint', { content: text() }), 'branch.name': text() }
  const endpoints = [post('/texts', { accepts, answer: (_call, values) => ({ values }) })]
  const call = smallApi(ctx, v3, endpoints)

  test.each([
    [{ content: 'x' }, { 'lint.content': 'x' }],
    [{ 'lint.content': 'x', content: 'y' }, { 'lint.content': 'x' }],
    [{ lint: { content: 'x' }, content: 'y' }, { 'lint.content': 'x' }],
    [{ '@type': 'lint', content: 'x' }, { 'lint.content': 'x' }],
    [{ '@type': 'repository', content: 'x' }, {}],
    [{ 'branch.name': 'b' }, { 'branch.name': 'b' }],
    [{ branch: { name: 'b' } }, { 'branch.name': 'b' }],
    [{ name: 'b' }, {}],
    [{ '@type': 'branch', name: 'b' }, { 'branch.name': 'b' }],
  ])('%j is read as %j', async (body, values) => {
    const headers = { ...v3Header, ...json }
    const answer = await (await call)('POST /texts', headers, JSON.stringify(body))
    expect(answer.json<{ values: object }>().values).toEqual(values)
  })

  test.each(['{', '[]'])('%s is 400', async (body) => {
    const answer = await (await call)('POST /texts', { ...v3Header, ...json }, body)
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error_type: 'wrong_params' }])
  })

  test('a bad include in a body is refused like one in the query', async () => {
    const headers = { ...v3Header, ...json }
    for (const answer of [
      await real('POST /lint', headers, '{"content": "a", "include": "zzz"}'),
      await real('POST /lint?include=zzz', headers, '{"content": "a"}'),
    ]) {
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { error_type: 'wrong_params' },
      ])
    }
  })
})
