import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { type Made, makeTokenScene, recordsOf, tokenCalls, type TokenScene } from './token-calls.ts'

const db = await testDatabase()
const make = factories(db)
const { call, made, statuses } = tokenCalls(await createServer(testContext(db)))

let anna: TokenScene['anna']
let web: TokenScene['web']
let safe: TokenScene['safe']
beforeEach(async () => {
  ;({ anna, web, safe } = await makeTokenScene(make))
})

describe('PATCH /access_token', () => {
  test('replaces a token with a new one', async () => {
    const { id, token } = await made('POST /tokens', anna.token, {
      name: 'ci',
      repositories: [web.id],
    })
    const [status, body] = await call('PATCH /access_token', anna.token, { token })
    expect([status, body]).toEqual([
      200,
      { '@type': 'access_token', token: expect.stringMatching(/^bsvc_/) as string },
    ])
    const renewed = (body as Made).token
    expect(await statuses(token, 'GET /user as 3')).toEqual([403])
    expect(
      await statuses(renewed, `GET /repo/${web.id} as 3`, `GET /repo/${safe.id} as 3`),
    ).toEqual([200, 404])
    expect((await recordsOf(db)).at(-1)).toMatchObject({
      action: 'renew_token',
      subject: `token ${id}`,
    })
  })

  test.each([undefined, {}])(
    'without a token in the body replaces the token of the call: %j',
    async (body) => {
      const own = await make.token(anna)
      const [status, answer] = await call('PATCH /access_token', own, body)
      expect(status).toBe(200)
      expect(await statuses(own, 'GET /user as 3')).toEqual([403])
      expect(await statuses((answer as Made).token, 'GET /user as 3')).toEqual([200])
      expect(await statuses(anna.token, 'GET /user as 3')).toEqual([200])
    },
  )

  test('also takes the token with its type, but never in the query', async () => {
    const forms = [
      (token: string) => ({ 'access_token.token': token }),
      (token: string) => ({ access_token: { token } }),
      (token: string) => ({ '@type': 'access_token', token }),
    ]
    for (const form of forms) {
      const { token } = await made('POST /tokens', anna.token, { name: 'ci' })
      const [status, body] = await call('PATCH /access_token', anna.token, form(token))
      expect([status, body]).toEqual([
        200,
        { '@type': 'access_token', token: expect.stringMatching(/^bsvc_/) as string },
      ])
      expect(await statuses(token, 'GET /user as 3')).toEqual([403])
    }
    for (const name of ['token', 'access_token.token', 'access_token[token]']) {
      expect(await call(`PATCH /access_token?${name}=x`, anna.token)).toMatchObject([
        400,
        { error_message: 'token must be in the body' },
      ])
    }
  })

  test('does not accept a token in the body as a login, however it is nested', async () => {
    const answer = await call('PATCH /access_token', undefined, { access_token: { token: 'x' } })
    expect(answer).toMatchObject([403, { error_type: 'login_required' }])
  })

  test('lets a limited token renew itself, but no other token', async () => {
    const { token } = await made('POST /tokens', anna.token, { name: 'ci' })
    expect(await call('PATCH /access_token', token, { token: anna.token })).toMatchObject([
      404,
      { resource_type: 'access_token' },
    ])
    expect(await call('PATCH /access_token', token, { token })).toMatchObject([200, {}])
  })

  test('refuses a token of another user, an unknown token, a malformed token and a call without a login', async () => {
    const other = await make.user('other')
    for (const token of [other.token, 'bsvc_nothing', '\0']) {
      expect(await call('PATCH /access_token', anna.token, { token })).toMatchObject([
        404,
        { resource_type: 'access_token' },
      ])
    }
    for (const body of [{ token: ['a'] }, { token: null }, { access_token: { token: ['a'] } }]) {
      expect(await call('PATCH /access_token', anna.token, body)).toMatchObject([
        400,
        { error_type: 'wrong_params' },
      ])
    }
    expect(await call(`PATCH /access_token?token=${anna.token}`, anna.token)).toMatchObject([
      400,
      { error_type: 'wrong_params' },
    ])
    expect(await call('PATCH /access_token')).toMatchObject([403, { error_type: 'login_required' }])
    expect(await statuses(anna.token, 'GET /user as 3')).toEqual([200])
    expect(await recordsOf(db)).toEqual([])
  })
})

describe('DELETE /access_token', () => {
  test('revokes the token of the call', async () => {
    const other = await make.token(anna)
    expect(await call('DELETE /access_token', anna.token)).toEqual([204, ''])
    expect(await statuses(anna.token, 'GET /user as 3')).toEqual([403])
    expect(await statuses(other, 'GET /user as 3')).toEqual([200])
    expect(await call('DELETE /access_token')).toMatchObject([
      403,
      { error_type: 'login_required' },
    ])
  })
})
