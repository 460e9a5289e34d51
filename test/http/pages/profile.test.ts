import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { tidy } from '../../../src/flow/upkeep/sweep.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { prefixed } from '../door.ts'
import { visitorOf, type Visitor } from '../login-scene.ts'
import { textIn } from './reading.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const server = await createServer(ctx)

let anna: User & { token: string }
let browser: Visitor
beforeEach(async () => {
  ctx.pass(600)
  anna = await make.user('anna')
  browser = visitorOf(server)
})

const logIn = (token = anna.token, path = '/login') =>
  browser.submit(path, '/auth/handshake', { codehost_token: token })

const api = (token: string) =>
  server.inject({ url: '/users', headers: { authorization: `token ${token}` } })

const tokensNow = () => db.selectFrom('tokens').selectAll().orderBy('id').execute()

describe('/login without an app', () => {
  test('accepts a token, and starts a session', async () => {
    const page = await browser.get('/login')
    expect(page.statusCode).toBe(200)
    expect(textIn(page.body)).toContain('build-service token creates one.')
    const answer = await logIn()
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/'])
    expect((await browser.get('/')).body).toContain('<bdi>anna</bdi>')
    expect((await tokensNow()).at(-1)).toMatchObject({
      purpose: 'session',
      application: 0,
      user_id: anna.id,
      expires_at: new Date(ctx.now().getTime() + 14 * 24 * 60 * 60 * 1000),
    })
  })

  test('leads back to the hidden page', async () => {
    const secret = await make.repository({ name: 'secret', private: true })
    await make.permission(anna, secret)
    const hidden = await browser.get('/octavia/secret')
    expect(hidden.statusCode).toBe(404)
    expect(hidden.body).toContain('href="/login?to=%2Foctavia%2Fsecret"')
    const answer = await logIn(anna.token, '/login?to=%2Foctavia%2Fsecret')
    expect(answer.headers.location).toBe('/octavia/secret')
    expect((await browser.get('/octavia/secret')).statusCode).toBe(200)
    expect((await browser.get('/')).body).toContain('octavia/secret')
  })

  test.each(['wrong', ''])('refuses the token %j', async (token) => {
    const answer = await logIn(token)
    expect(answer.statusCode).toBe(403)
    expect(textIn(answer.body)).toContain('This token is not valid.')
    expect(browser.cookies.has('__Host-service.session')).toBe(false)
  })

  test('starts a session limited like its token, which cannot manage tokens', async () => {
    await logIn(await make.token(anna, ['public', 'private', 'read']))
    const page = await browser.get('/profile')
    expect(textIn(page.body)).toContain('which cannot manage tokens')
    expect(page.body).not.toContain('laptop')
    expect((await browser.submit('/profile', '/logout')).statusCode).toBe(303)
  })

  test('works below the path of the installation', async () => {
    const below = visitorOf(await createServer(prefixed(testContext(db))))
    const answer = await below.submit('/ci/login', '/ci/auth/handshake', {
      codehost_token: anna.token,
    })
    expect(answer.headers.location).toBe('/ci/')
    const led = await below.get('/ci/login?to=%2Fprofile')
    expect(led.headers.location).toBe('/ci/profile')
    expect(answer.headers['set-cookie']).toContainEqual(expect.stringContaining('; Path=/ci/;'))
    expect((await below.get('/ci/profile')).statusCode).toBe(200)
  })

  test('redirects users who are already logged in', async () => {
    await logIn()
    const answer = await browser.get('/login?to=%2Fprofile')
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/profile'])
  })
})

describe('a session', () => {
  beforeEach(() => logIn())

  test('ends after two weeks without use, and is extended by each use', async () => {
    const days = 24 * 60 * 60
    for (let use = 0; use < 3; use += 1) {
      expect((await browser.get('/profile')).statusCode).toBe(200)
      ctx.pass(13 * days)
    }
    expect((await browser.get('/profile')).statusCode).toBe(200)
    ctx.pass(15 * days)
    expect((await browser.get('/profile')).statusCode).toBe(401)
    expect((await browser.get('/')).statusCode).toBe(200)
  })

  test('ends after 90 days in any case', async () => {
    for (let week = 0; week < 12; week += 1) {
      expect((await browser.get('/profile')).statusCode).toBe(200)
      ctx.pass(7 * 24 * 60 * 60)
    }
    ctx.pass(7 * 24 * 60 * 60)
    expect((await browser.get('/profile')).statusCode).toBe(401)
  })

  test('ends when its user logs out', async () => {
    const session = browser.cookies.get('__Host-service.session') ?? ''
    const answer = await browser.submit('/profile', '/logout')
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(browser.cookies.has('__Host-service.session')).toBe(false)
    browser.cookies.set('__Host-service.session', session)
    expect((await browser.get('/profile')).statusCode).toBe(401)
    const records = await db.selectFrom('audit_records').select('action').orderBy('id').execute()
    expect(records.map(({ action }) => action)).toEqual(['issue_token', 'log_out'])
  })

  test('opens the log of a private repository as plain text too', async () => {
    const secret = await make.repository({ name: 'secret', private: true })
    await make.permission(anna, secret)
    const build = await make.build({ repository: secret, private: true, state: 'passed' })
    const job = await make.job({ build, private: true, state: 'passed' })
    await make.log(job, 'the output\n')
    const { body } = await browser.get(`/octavia/secret/jobs/${job.id}`)
    const [, href = ''] = /href="(\/jobs\/\d+\/log\?access_token=[^"]+)"/.exec(body) ?? []
    const answer = await server.inject({ url: href.replaceAll('&amp;', '&') })
    expect([answer.statusCode, answer.body]).toEqual([200, 'the output\n'])
    await browser.submit('/profile', '/logout')
    const later = await server.inject({ url: href.replaceAll('&amp;', '&') })
    expect(later.statusCode).toBe(404)
  })
})

describe('/profile', () => {
  beforeEach(() => logIn())

  const makeToken = (fields: Record<string, string> = {}) =>
    browser.submit('/profile', '/profile/tokens', { name: 'laptop', 'scopes[]': 'read', ...fields })
  const madeIn = (body: string) => /<pre id="made-token">(bsvc_\w{32})<\/pre>/.exec(body)?.[1] ?? ''

  test('creates a token, which is shown once', async () => {
    const made = await makeToken({ sees_private: 'true', days: '30' })
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'no-store'])
    const token = madeIn(made.body)
    expect((await api(token)).json()).toMatchObject({ user: { login: 'anna' } })
    const page = await browser.get('/profile')
    expect(page.body).not.toContain(token)
    expect(textIn(page.body)).toContain('laptop for read; sees private things; made just now')
    expect((await tokensNow()).at(-1)).toMatchObject({
      name: 'laptop',
      scopes: ['public', 'private', 'read'],
      ends_at: new Date(ctx.now().getTime() + 30 * 24 * 60 * 60 * 1000),
    })
  })

  test('creates a feed token, which is shown once, and ends the former feed token', async () => {
    const secret = await make.repository({ name: 'secret', private: true })
    await make.permission(anna, secret)
    const feed = (token: string) =>
      server.inject({ url: `/repos/${secret.id}/builds.atom?token=${token}` })
    const makeOne = () => browser.submit('/profile', '/profile/feed_token')
    expect(textIn((await browser.get('/profile')).body)).not.toContain('You have one')
    const made = await makeOne()
    expect([made.statusCode, made.headers['cache-control']]).toEqual([200, 'no-store'])
    const token = madeIn(made.body)
    expect((await feed(token)).statusCode).toBe(200)
    expect((await api(token)).statusCode).toBe(403)
    const page = await browser.get('/profile')
    expect(page.body).not.toContain(token)
    // Only those that the API is called with are listed.
    expect(textIn(page.body).match(/; made just now/g)).toHaveLength(1)
    expect(textIn(page.body)).toContain('You have one: made just now , used just now .')
    expect(page.body).toContain('replacing the present one')
    const next = madeIn((await makeOne()).body)
    expect((await feed(token)).statusCode).toBe(403)
    expect((await feed(next)).statusCode).toBe(200)
    await db
      .updateTable('tokens')
      .set({ expires_at: ctx.now() })
      .where('purpose', '=', 'feed')
      .execute()
    expect(textIn((await browser.get('/profile')).body)).not.toContain('You have one')
  })

  test('warns of tokens that expire soon', async () => {
    await makeToken({ days: '7' })
    await db.updateTable('tokens').set({ created_at: ctx.now() }).execute()
    const shown = async () => textIn((await browser.get('/profile')).body)
    ctx.pass(2 * 24 * 60 * 60)
    expect(await shown()).toContain('; ends in 5 days')
    ctx.pass(2 * 24 * 60 * 60)
    expect(await shown()).toContain('; ends soon: in 3 days')
  })

  test('shows programs the expiry of their token in its last week', async () => {
    const token = madeIn((await makeToken({ days: '30' })).body)
    const headers = { authorization: `token ${token}` }
    const told = async (more = {}) =>
      (await server.inject({ url: '/', headers: { ...headers, ...more } })).headers[
        'x-token-ends-at'
      ]
    expect(await told()).toBeUndefined()
    const end = new Date(ctx.now().getTime() + 30 * 24 * 60 * 60 * 1000)
    ctx.pass(24 * 24 * 60 * 60)
    const shown = `${end.toISOString().slice(0, 19)}Z`
    expect([await told(), await told({ 'service-api-version': '3' })]).toEqual([shown, shown])
  })

  test('shows a hundred tokens on a page, and links to the others', async () => {
    for (let count = 0; count < 101; count += 1) await make.token(anna)
    const first = await browser.get('/profile')
    expect(textIn(first.body)).toContain('Page 1 of 2')
    expect(first.body.match(/\/revoke"/g)).toHaveLength(100)
    const second = await browser.get('/profile?page=2')
    expect(second.body.match(/\/revoke"/g)).toHaveLength(2)
  })

  test('no longer stores tokens and sessions a month after their end', async () => {
    const kept = await make.repository()
    await make.permission(anna, kept, 'push')
    const url = `/tokens?name=some&repositories=${kept.id}`
    const headers = { authorization: `token ${anna.token}`, 'service-api-version': '3' }
    const limited = await server.inject({ method: 'POST', url, headers })
    const { id } = limited.json<{ id: number }>()
    await server.inject({ method: 'DELETE', url: `/token/${id}`, headers })
    const before = (await tokensNow()).length
    await tidy(ctx)
    ctx.pass(29 * 24 * 60 * 60)
    await tidy(ctx)
    expect(await tokensNow()).toHaveLength(before)
    ctx.pass(2 * 24 * 60 * 60)
    await tidy(ctx)
    expect((await tokensNow()).map((each) => each.id)).not.toContain(id)
    const grantees = db.selectFrom('users').where('login', 'like', 'token-%').select('id')
    expect(await grantees.execute()).toEqual([])
    // The session that was made with it ended two weeks after its last use, and is not a month old.
    expect(await tokensNow()).toHaveLength(2)
    ctx.pass(20 * 24 * 60 * 60)
    await tidy(ctx)
    expect(await tokensNow()).toMatchObject([{ user_id: anna.id, purpose: 'api' }])
  })

  test('revokes one token', async () => {
    const token = madeIn((await makeToken()).body)
    const { id } = (await tokensNow()).at(-1) ?? { id: 0 }
    const answer = await browser.submit('/profile', `/profile/tokens/${id}/revoke`)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/profile'])
    expect((await api(token)).statusCode).toBe(403)
    expect((await api(anna.token)).statusCode).toBe(200)
  })

  test('revokes all tokens and other sessions of the user at once, but not those of other users', async () => {
    const other = await make.user('other')
    const elsewhere = visitorOf(server)
    await elsewhere.submit('/login', '/auth/handshake', { codehost_token: anna.token })
    expect((await elsewhere.get('/profile')).statusCode).toBe(200)
    const answer = await browser.submit('/profile', '/profile/revoke_all')
    expect(answer.statusCode).toBe(303)
    expect((await api(anna.token)).statusCode).toBe(403)
    expect((await elsewhere.get('/profile')).statusCode).toBe(401)
    expect((await browser.get('/profile')).statusCode).toBe(200)
    expect((await api(other.token)).statusCode).toBe(200)
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records.at(-1)).toMatchObject({
      actor: 'anna',
      action: 'revoke_all_tokens',
      details: { changed: { revoked: 2 } },
    })
  })

  test('starts a sync of the repositories, one at a time', async () => {
    ctx.enqueued.length = 0
    for (let count = 0; count < 2; count += 1) {
      const answer = await browser.submit('/profile', '/profile/sync')
      expect([answer.statusCode, answer.headers.location]).toEqual([303, '/profile'])
    }
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: anna.id } }])
    expect(textIn((await browser.get('/profile')).body)).toContain('are being looked up')
  })

  test('leads visitors without a login to the login page', async () => {
    const answer = await visitorOf(server).get('/profile')
    expect(answer.statusCode).toBe(401)
    expect(answer.body).toContain('href="/login?to=%2Fprofile"')
  })
})
