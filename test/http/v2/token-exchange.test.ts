import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const issuedToken = { access_token: expect.stringMatching(/^bsvc_[0-9A-Za-z]{32}$/) as string }

let anna: User & { token: string }
beforeEach(async () => {
  anna = await make.user('anna')
})

describe('POST /auth/codehost in local mode', () => {
  test.each([
    ['a form', form, (token: string) => `codehost_token=${token}`],
    ['JSON', json, (token: string) => JSON.stringify({ codehost_token: token })],
  ])('takes a token of this service in %s and returns a new one', async (_what, headers, body) => {
    const answer = await call('POST /auth/codehost', headers, body(anna.token))
    expect([answer.statusCode, answer.json()]).toEqual([200, issuedToken])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
    })
    const { access_token } = answer.json<{ access_token: string }>()
    expect(access_token).not.toBe(anna.token)
    for (const token of [access_token, anna.token]) {
      const { statusCode } = await call('GET /', { authorization: `token ${token}` })
      expect(statusCode).toBe(200)
    }
  })

  test('refuses a token in the query, whatever the body holds', async () => {
    const query = `POST /auth/codehost?codehost_token=${anna.token}`
    for (const body of ['', `codehost_token=${anna.token}`]) {
      const answer = await call(query, form, body)
      expect([answer.statusCode, answer.body]).toEqual([
        403,
        expect.stringContaining('no token is accepted in an address'),
      ])
    }
  })

  test('makes a new one each time', async () => {
    const issue = async () =>
      (await call('POST /auth/codehost', form, `codehost_token=${anna.token}`)).body
    expect(await issue()).not.toBe(await issue())
  })

  test('returns a token with no more scopes than the given one', async () => {
    const narrow = await make.token(anna, ['public', 'read'])
    await call('POST /auth/codehost', form, `codehost_token=${narrow}`)
    const [last] = await db.selectFrom('tokens').selectAll().orderBy('id', 'desc').execute()
    expect(last).toMatchObject({
      user_id: anna.id,
      scopes: ['public', 'read'],
      application: 1,
      purpose: 'api',
      expires_at: new Date('2026-04-02T12:00:00Z'),
    })
  })

  test('leaves an audit record without the token', async () => {
    const { body } = await call('POST /auth/codehost', form, `codehost_token=${anna.token}`)
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([
      { actor: 'anna', action: 'issue_token', subject_type: 'user', subject_id: anna.id },
    ])
    const { access_token } = JSON.parse(body) as { access_token: string }
    expect(JSON.stringify(records)).not.toContain(access_token)
    expect(JSON.stringify(records)).not.toContain(anna.token)
  })

  const missing = [422, '{"error":"Must pass \'codehost_token\' parameter"}', 'application/json']
  const unknown = [403, 'not a service user', 'text/plain;charset=utf-8']
  const broken = [400, '{"error":"Failed to parse body as JSON"}', 'application/json']

  test.each<[string, Record<string, string>, string | undefined, unknown[]]>([
    ['nothing', {}, undefined, missing],
    ['an empty form', form, '', missing],
    ['an empty token', form, 'codehost_token=', missing],
    ['another parameter', form, 'other=x', missing],
    ['a token of a feed', form, 'token=x', [403, 'access denied', 'text/plain;charset=utf-8']],
    ['a list', json, '{"codehost_token": ["x"]}', missing],
    ['an unknown token', form, 'codehost_token=bsvc_nothing', unknown],
    ['NUL', json, String.raw`{"codehost_token": "\u0000"}`, unknown],
    ['half of JSON', json, '{"codehost_token": ', broken],
  ])('refuses %s', async (_what, headers, body, expected) => {
    const answer = await call('POST /auth/codehost', headers, body)
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual(expected)
  })

  test('refuses a token that has expired or was revoked', async () => {
    const old = await make.token(anna, ['public'], new Date('2026-01-02T11:59:59Z'))
    const answer = await call('POST /auth/codehost', form, `codehost_token=${old}`)
    expect([answer.statusCode, answer.body]).toEqual([403, 'not a service user'])
  })

  test('has a limit for each address', async () => {
    const ctx = testContext(db)
    const limited = caller(await createServer(ctx))
    const status = async () =>
      (await limited('POST /auth/codehost', form, 'codehost_token=guess')).statusCode
    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1) statuses.push(await status())
    expect(statuses.filter((each) => each === 403)).toHaveLength(60)
    const refused = await limited('POST /auth/codehost', form, 'codehost_token=guess')
    expect([refused.statusCode, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      'Retry later',
      '5',
    ])
    ctx.pass(5)
    expect(await status()).toBe(403)
  })
})
