// A browser sends a session automatically, no matter which site causes the call.
import { beforeEach, describe, expect, test } from 'vitest'
import { pages } from '../../src/http/pages/index.ts'
import { hashToken } from '../../src/secrets/token.ts'
import { hiddenIn, loginScene, type Visitor } from '../http/login-scene.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { captureStatements } from '../support/sent-statements.ts'

const db = await testDatabase()
const make = factories(db)
const { host, logIn, server, visitor } = await loginScene(db)

let browser: Visitor
beforeEach(async () => {
  browser = visitor()
  await logIn(browser)
})

const sessionOf = ({ cookies }: Visitor) => cookies.get('__Host-service.session') ?? ''
const auditsNow = () => db.selectFrom('audit_records').select('action').orderBy('id').execute()

describe('session fixation', () => {
  test.each(['chosen-by-someone-else', `bsvc_${'a'.repeat(32)}`])(
    'a login does not adopt the session %s',
    async (planted) => {
      const victim = visitor()
      victim.cookies.set('__Host-service.session', planted)
      await logIn(victim)
      expect(sessionOf(victim)).not.toBe(planted)
      const attacker = visitor()
      attacker.cookies.set('__Host-service.session', planted)
      expect((await attacker.get('/profile')).statusCode).toBe(401)
    },
  )

  const atCodehost = async () => {
    host.addUser({ login: 'ada' })
    await logIn(browser)
  }

  const byToken = async () => {
    const { token } = await make.user('anna')
    const form = '/auth/handshake/local'
    const answer = await browser.submit(form, '/auth/handshake', { codehost_token: token })
    expect(answer.statusCode).toBe(302)
  }

  test.each([
    ['at the code host', atCodehost],
    ['by a token', byToken],
  ])(
    'a login %s ends the former session, whichever user it belongs to',
    async (_how, logInAgain) => {
      const former = sessionOf(browser)
      await logInAgain()
      expect(sessionOf(browser)).not.toBe(former)
      const old = visitor()
      old.cookies.set('__Host-service.session', former)
      expect((await old.get('/profile')).statusCode).toBe(401)
      expect((await browser.get('/profile')).statusCode).toBe(200)
    },
  )
})

describe('CSRF', () => {
  const writes = [
    '/logout',
    '/profile/tokens',
    '/profile/tokens/:token/revoke',
    '/profile/revoke_all',
    '/profile/sync',
    '/profile/feed_token',
    '/:owner/:name/build_now',
    '/:owner/:name/builds/:build/approve',
    '/:owner/:name/builds/:build/cancel',
    '/:owner/:name/builds/:build/restart',
    '/:owner/:name/builds/:build/restart_failed',
    '/:owner/:name/crons',
    '/:owner/:name/crons/:cron/delete',
    '/:owner/:name/jobs/:job/cancel',
    '/:owner/:name/jobs/:job/restart',
    '/:owner/:name/keys',
    '/:owner/:name/keys/delete',
    '/:owner/:name/requests/:request/approve',
    '/:owner/:name/settings',
    '/:owner/:name/variables',
    '/:owner/:name/variables/:variable/delete',
  ]
  const fields = { name: 'a', 'scopes[]': 'admin' }

  // Writes without a login are not in the list: they do not use the session.
  test('the list of writes holds all pages that can change something', () => {
    const closed = pages.filter(({ method, admission }) => method !== 'GET' && !admission.open)
    const paths = closed.flatMap((each) => each.paths)
    expect(paths.toSorted()).toEqual(writes.toSorted())
  })

  test.each(writes)('POST %s without the token of a form changes nothing', async (template) => {
    const path = template.replaceAll(/:\w+/g, '1')
    const before = await auditsNow()
    const other = visitor()
    await logIn(other)
    const foreign = hiddenIn((await other.get('/profile')).body)
    const records = (await auditsNow()).length
    for (const sent of [{}, { form_token: '' }, { form_token: 'x'.repeat(43) }, foreign]) {
      const answer = await browser.post(path, { ...fields, ...sent })
      expect(answer.statusCode).toBe(403)
      expect(answer.body).not.toContain('bsvc_')
    }
    expect(await auditsNow()).toHaveLength(records)
    expect(records).toBeGreaterThan(before.length)
    expect((await browser.get('/profile')).statusCode).toBe(200)
  })

  test("a foreign form with the attacker's token logs no one out", async () => {
    const attacker = visitor()
    await logIn(attacker)
    const made = await attacker.submit('/profile', '/profile/tokens', { name: 'a' })
    const [access_token = ''] = /bsvc_\w{32}/.exec(made.body) ?? []
    for (const path of writes.slice(0, 2)) {
      const answer = await browser.post(path, { access_token, ...fields })
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined])
    }
    const foreign = await visitor().post('/logout', { access_token })
    expect([foreign.statusCode, foreign.headers['set-cookie']]).toEqual([401, undefined])
    expect((await browser.get('/profile')).statusCode).toBe(200)
  })

  test('the token of a form does not reveal the session, and is not stored', async () => {
    const { form_token = '' } = hiddenIn((await browser.get('/profile')).body)
    const session = sessionOf(browser)
    expect(form_token).toMatch(/^[\w-]{43}$/)
    expect(form_token).not.toContain(session)
    const stored = await db.selectFrom('tokens').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(form_token)
    const bytes = Buffer.from(form_token, 'base64url').toString('hex')
    expect(bytes).not.toBe(hashToken(session))
  })

  test('a session is not accepted for calls of the API', async () => {
    const calls = [
      ['POST', '/users/sync', {}],
      ['POST', '/tokens?name=a', { 'service-api-version': '3' }],
      ['GET', '/users', {}],
      ['GET', '/logout', {}],
      ['POST', '/v3/tokens?name=a', { accept: 'text/html' }],
    ] as const
    for (const [method, url, headers] of calls) {
      const cookie = `__Host-service.session=${sessionOf(browser)}`
      const answer = await server.inject({ method, url, headers: { ...headers, cookie } })
      expect([401, 403, 404]).toContain(answer.statusCode)
    }
    expect((await browser.get('/profile')).statusCode).toBe(200)
    expect(await db.selectFrom('tokens').selectAll().execute()).toHaveLength(1)
  })

  test("the explorer makes no call with a session for another page's form", async () => {
    for (const fields of [{}, { form_token: 'x' }]) {
      const answer = await browser.post('/docs/v3/tokens/for_current_user', fields)
      expect(answer.statusCode).toBe(403)
    }
  })
})

describe('one kind of token used as another', () => {
  test('a session is not accepted as an API token', async () => {
    for (const authorization of [
      `token ${sessionOf(browser)}`,
      `Basic ${Buffer.from(`${sessionOf(browser)}:`).toString('base64')}`,
    ]) {
      const answer = await server.inject({ url: '/', headers: { authorization } })
      expect([answer.statusCode, answer.body]).toEqual([403, 'access denied'])
    }
  })

  test('an API token is not accepted as a session', async () => {
    const made = await browser.submit('/profile', '/profile/tokens', {
      name: 'a',
      'scopes[]': 'read',
    })
    const [token = ''] = /bsvc_\w{32}/.exec(made.body) ?? []
    const other = visitor()
    other.cookies.set('__Host-service.session', token)
    expect((await other.get('/profile')).statusCode).toBe(401)
  })

  test.each(['access_token', 'token', 'form_token'])(
    'a token in the query as %s shows nothing',
    async (name) => {
      const made = await browser.submit('/profile', '/profile/tokens', {
        name: 'a',
        'scopes[]': 'read',
      })
      const [token = ''] = /bsvc_\w{32}/.exec(made.body) ?? []
      for (const secret of [token, sessionOf(browser)]) {
        const page = await visitor().get(`/profile?${name}=${secret}`)
        expect(page.statusCode).toBe(401)
        const call = await server.inject({ url: `/users?${name}=${secret}` })
        expect([401, 403]).toContain(call.statusCode)
        expect(call.body).not.toContain('octavia')
      }
    },
  )
})

describe('the cookie', () => {
  test('is kept from scripts, from other sites and from plain HTTP', async () => {
    const answer = await logIn(visitor())
    const [cookie = ''] = [answer.headers['set-cookie'] ?? []].flat()
    expect(cookie).toMatch(/^__Host-service\.session=.*; HttpOnly; SameSite=Lax; Secure$/)
  })

  test('that a page on a neighbouring host has set is ignored', async () => {
    const attacker = visitor()
    await logIn(attacker)
    const tossed = `service.session=${sessionOf(attacker)}`
    const own = `__Host-service.session=${sessionOf(browser)}`
    const records = await auditsNow()
    for (const cookie of [`${tossed}; ${own}`, `${own}; ${tossed}`]) {
      const answer = await server.inject({
        url: '/profile',
        headers: { accept: 'text/html', cookie },
      })
      const { form_token } = hiddenIn(answer.body)
      expect(form_token).toBe(hiddenIn((await browser.get('/profile')).body).form_token)
    }
    const headers = { accept: 'text/html', cookie: tossed }
    expect((await server.inject({ url: '/profile', headers })).statusCode).toBe(401)
    expect(await auditsNow()).toEqual(records)
  })

  test('makes its pages uncacheable for shared caches', async () => {
    const { headers } = await browser.get('/')
    expect(headers['vary']).toContain('Cookie')
    expect((await browser.get('/profile')).headers['cache-control']).toBe('no-store')
  })

  test.each(['', '%', 'a=b; __Host-service.session=', '\u00ff', 'x'.repeat(5000)])(
    'is not a login if it is malformed: %j',
    async (value) => {
      const cookie = `__Host-service.session=${value}`
      const answer = await server.inject({ url: '/', headers: { accept: 'text/html', cookie } })
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('href="/login"')
    },
  )
})

describe('timing of the look-up', () => {
  // Only digests are compared with stored values, so that no prefix of a token can be guessed.
  test('a token is looked up by its hash, and is stored nowhere', async () => {
    const session = sessionOf(browser)
    const rows = await db.selectFrom('tokens').selectAll().execute()
    expect(rows).toMatchObject([{ hash: hashToken(session), purpose: 'session' }])
    expect(JSON.stringify(rows)).not.toContain(session.slice(5, 13))
    const near = `${session.slice(0, -1)}${session.endsWith('a') ? 'b' : 'a'}`
    expect(hashToken(near).slice(0, 16)).not.toBe(hashToken(session).slice(0, 16))
  })

  test.each(['a session', 'a token of the API'])(
    'the database is never queried for %s',
    async (kind) => {
      const made = await browser.submit('/profile', '/profile/tokens', {
        name: 'a',
        'scopes[]': 'read',
      })
      const [token = ''] = /bsvc_\w{32}/.exec(made.body) ?? []
      const secret = kind === 'a session' ? sessionOf(browser) : token
      const { statements, stop } = captureStatements()
      const answer =
        kind === 'a session'
          ? await browser.get('/profile')
          : await server.inject({ url: '/users', headers: { authorization: `token ${secret}` } })
      stop()
      expect(answer.statusCode).toBe(200)
      const sent = JSON.stringify(statements)
      expect(sent).toContain(hashToken(secret))
      expect(sent).not.toContain(secret.slice(5, 13))
    },
  )
})

describe('channels for live events', () => {
  const ask = async (form_token?: string) => {
    const user = await db
      .selectFrom('users')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    const channel_name = `private-user-${user.id}`
    const fields = {
      socket_id: '1.2',
      channel_name,
      ...(form_token === undefined ? {} : { form_token }),
    }
    return browser.post('/streaming/auth', fields)
  }

  test('are signed for a page that sends its form token', async () => {
    const { form_token = '' } = hiddenIn((await browser.get('/profile')).body)
    const answer = await ask(form_token)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { auth: expect.stringMatching(/^\w+:[0-9a-f]{64}$/) },
    ])
  })

  test.each([undefined, '', 'x'.repeat(43)])(
    'are not signed for a call from another site, with the form token %j',
    async (form_token) => {
      expect((await ask(form_token)).statusCode).toBe(403)
    },
  )
})
