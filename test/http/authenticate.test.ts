import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/owner.ts'
import { createServer } from '../../src/http/server.ts'
import { hashToken } from '../../src/secrets/token.ts'
import { noon, testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))

const tokens: Record<string, string> = {}
let octavia: User

beforeAll(async () => {
  const user = await make.user('octavia')
  octavia = user
  await make.permission(user, await make.repository({ private: true }), 'push')
  const inAMoment = new Date(noon.getTime() + 1000)
  tokens.good = user.token
  tokens.expired = await make.token(user, ['public', 'private'], noon)
  tokens.expiring = await make.token(user, ['public', 'private'], inAMoment)
  tokens.revoked = await make.token(user)
  tokens.public = await make.token(user, ['public'])
  tokens.feed = await make.token(user)
  tokens.unknown = 'bsvc_unknown'
  const [revoked, feed] = [tokens.revoked, tokens.feed].map(hashToken)
  await db
    .updateTable('tokens')
    .set({ revoked_at: noon })
    .where('hash', '=', `${revoked}`)
    .execute()
  await db.updateTable('tokens').set({ purpose: 'feed' }).where('hash', '=', `${feed}`).execute()
})

/** A header with the name of a token instead of the token. */
function authorization(written: string): Record<string, string> {
  const header = written.replaceAll(/\{(\w+)\}/g, (_all, name: string) => tokens[name] ?? '')
  const [, scheme, text] = /^(basic )(.*)$/i.exec(header) ?? []
  return {
    authorization: scheme ? `${scheme}${Buffer.from(text ?? '').toString('base64')}` : header,
  }
}

const v3 = { 'service-api-version': '3' }

/** The repository is private, so it is found by those who are known. */
async function statuses(headers: Record<string, string>): Promise<[number, number]> {
  const legacy = await call('GET /repos/1', headers)
  const current = await call('GET /repo/1', { ...v3, ...headers })
  return [legacy.statusCode, current.statusCode]
}

describe('a token is read from the header', () => {
  test.each([
    'token {good}',
    'Token {good}',
    'TOKEN {good}',
    'token "{good}"',
    'token   {good}  ',
    'Token token="{good}"',
    'Token token={good}',
    'Bearer {good}',
    'bearer {good}',
    'basic {good}:',
    'Basic {good}:x-oauth-basic',
    'Basic {good}:a:b',
    'Basic {good}',
    'token {expiring}',
  ])('%s', async (written) => {
    expect(await statuses(authorization(written))).toEqual([200, 200])
  })
})

describe('a wrong token is refused everywhere', () => {
  const headers = ['{unknown}', '{expired}', '{revoked}', '{feed}', '', '"', '{good}x'].flatMap(
    (token) => [`token ${token}`, `Bearer ${token}`, `basic ${token}:x`],
  )
  const paths = [
    '/',
    '/config',
    '/repos/1',
    '/repos/9',
    '/builds/9',
    '/jobs/9/log',
    '/no/such/path',
  ]

  test.each(headers)('V2.1: %s', async (written) => {
    for (const path of paths) {
      const answer = await call(`GET ${path}`, authorization(written))
      expect([path, answer.statusCode, answer.body]).toEqual([path, 403, 'access denied'])
      expect(answer.headers['content-type']).toBe('text/plain;charset=utf-8')
    }
  })

  test.each(headers)('V3: %s', async (written) => {
    for (const path of ['/', '/repo/1', '/repo/9', '/repo/9?include=x', '/no/such/path']) {
      const answer = await call(`GET ${path}`, { ...v3, ...authorization(written) })
      expect([path, answer.statusCode, answer.json()]).toEqual([
        path,
        403,
        { '@type': 'error', error_type: 'wrong_credentials', error_message: 'access denied' },
      ])
    }
  })

  test('also with a wrong method or a broken path', async () => {
    const headers = authorization('token {unknown}')
    for (const path of ['POST /repos/1', 'PUT /no/such', 'GET /%zz', `GET /${'a'.repeat(2000)}`]) {
      expect([path, (await call(path, headers)).statusCode]).toEqual([path, 403])
      expect([path, (await call(path, { ...v3, ...headers })).statusCode]).toEqual([path, 403])
    }
  })

  test('also for pages', async () => {
    const accept = 'text/html'
    const answer = await call('GET /', { accept, ...authorization('token {unknown}') })
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['content-type']).toBe('text/html;charset=utf-8')
  })
})

describe('a caller counts as anonymous', () => {
  test('without a header, or with an empty one', async () => {
    expect(await statuses({})).toEqual([404, 404])
    expect(await statuses({ authorization: '' })).toEqual([404, 404])
  })

  test.each(['Digest x', 'internal admin:sesame', 'tokens {good}', '{good}', 'Negotiate'])(
    'in V2.1 with an unknown scheme, which V3 refuses: %s',
    async (written) => {
      expect(await statuses(authorization(written))).toEqual([404, 403])
    },
  )

  test('with a feed token in the query, which V2.1 refuses', async () => {
    const { good } = tokens
    expect((await call(`GET /repo/1?token=${good}`, v3)).statusCode).toBe(404)

    const feed = await call(`GET /repos/1?token=${good}`)
    expect([feed.statusCode, feed.body]).toEqual([403, 'access denied'])
    expect((await call('GET /repos/1?token=')).statusCode).toBe(404)
    expect((await call('GET /repos/1?token=x', authorization('token {good}'))).statusCode).toBe(200)
  })
})

describe('a feed token in a body', () => {
  test.each(['token=x&content=script:', '{"token":"x","content":"script:"}'])(
    'is refused by V2.1 like one in the query: %s',
    async (body) => {
      const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded'
      const answer = await call('POST /lint', { 'content-type': type }, body)
      expect([answer.statusCode, answer.body]).toEqual([403, 'access denied'])
      const current = await call('POST /lint', { ...v3, 'content-type': type }, body)
      expect(current.statusCode).toBe(200)
    },
  )

  test('is ignored if there is an API token', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const known = { ...headers, ...authorization('token {good}') }
    expect((await call('POST /lint', known, 'token=x&content=script:')).statusCode).toBe(200)
    expect((await call('POST /lint', headers, 'token=&content=script:')).statusCode).toBe(200)
  })
})

describe('the scopes of a token', () => {
  test('give no permission without `private`', async () => {
    expect(await statuses(authorization('token {public}'))).toEqual([404, 404])
  })

  test.each([
    ['token {good}', 'public,private', 'public,private'],
    ['token {public}', 'public', 'public'],
    ['', 'public', ''],
  ])('are returned in the headers: %s', async (written, legacy, current) => {
    const headers = authorization(written)
    expect((await call('GET /', headers)).headers['x-oauth-scopes']).toBe(legacy)
    expect((await call('GET /repos/9', headers)).headers['x-oauth-scopes']).toBe(legacy)
    expect((await call('GET /', { ...v3, ...headers })).headers['x-oauth-scopes']).toBe(current)
  })
})

test('a long header is read as quickly as a short one', async () => {
  const answer = await call('GET /', { authorization: `token a${' '.repeat(12_000)}b` })
  expect(answer.statusCode).toBe(403)
})

describe('the use of a token', () => {
  const lifetime = 90 * 24 * 60 * 60 * 1000
  const expiryOf = async (token: string) =>
    await db
      .selectFrom('tokens')
      .select(['expires_at', 'last_used_at'])
      .where('hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()

  test('extends its expiry by a whole lifetime', async () => {
    const token = await make.token(octavia, ['public'], new Date(noon.getTime() + lifetime))
    const use = () => call('GET /', { authorization: `token ${token}` })
    await use()
    ctx.pass(24 * 60 * 60)
    await use()
    expect(await expiryOf(token)).toEqual({
      last_used_at: ctx.now(),
      expires_at: new Date(ctx.now().getTime() + lifetime),
    })
  })

  test('is recorded at most once a minute, even for several calls at once', async () => {
    const token = await make.token(octavia, ['public'], new Date(ctx.now().getTime() + lifetime))
    const use = () => call('GET /', { authorization: `token ${token}` })
    await use()
    const before = ctx.now()
    ctx.pass(30)
    await use()
    expect((await expiryOf(token)).last_used_at).toEqual(before)
    ctx.pass(60)
    await Promise.all(Array.from({ length: 10 }, use))
    expect((await expiryOf(token)).expires_at).toEqual(new Date(ctx.now().getTime() + lifetime))
  })

  test('keeps a token without an expiry as it is', async () => {
    await call('GET /', authorization('token {good}'))
    expect((await expiryOf(`${tokens.good}`)).expires_at).toBeNull()
  })

  test('is recorded for its user, at most every five minutes', async () => {
    const user = await make.user()
    const use = () => call('GET /', { authorization: `token ${user.token}` })
    const activity = async () =>
      (
        await db
          .selectFrom('users')
          .select('last_activity_at')
          .where('id', '=', user.id)
          .executeTakeFirstOrThrow()
      ).last_activity_at
    await use()
    const first = ctx.now()
    expect(await activity()).toEqual(first)
    ctx.pass(299)
    await use()
    expect(await activity()).toEqual(first)
    ctx.pass(61)
    await use()
    expect(await activity()).toEqual(ctx.now())
  })
})
