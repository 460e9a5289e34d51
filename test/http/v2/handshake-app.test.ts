import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { testSealer } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { callback, hiddenIn, loginScene, target, toTarget, type Visitor } from '../login-scene.ts'
import { textIn } from '../pages/reading.ts'

const db = await testDatabase()
const make = factories(db)
const { ctx, host, consent, logIn, visitor } = await loginScene(db)
const settings = { ...ctx.config }
const byMessage = '/auth/post_message/iframe?origin=https%3A%2F%2Fapp.example.org'

let browser: Visitor
beforeEach(() => {
  browser = visitor()
  Object.assign(ctx.config, settings)
})

const usersNow = () => db.selectFrom('users').selectAll().orderBy('id').execute()

describe('GET /auth/handshake with the app', () => {
  test.each([toTarget, toTarget.replace('?', '/codehost?'), toTarget.replace('?', '/github?')])(
    'leads to the code host: %s',
    async (path) => {
      const answer = await browser.get(path)
      expect(answer.statusCode).toBe(302)
      const address = new URL(String(answer.headers.location))
      expect(`${address.origin}${address.pathname}`).toBe(`${host.url}/login/oauth/authorize`)
      const { state = '', ...query } = Object.fromEntries(address.searchParams)
      expect(query).toEqual({
        client_id: host.app.clientId,
        redirect_uri: callback,
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      expect(state).toMatch(/^[\w-]{22}:::https:\/\/app\.example\.org\/after$/)
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'set-cookie':
          `__Host-service.state-codehost=${encodeURIComponent(state)}; Path=/; Max-Age=1800; ` +
          'HttpOnly; SameSite=Lax; Secure',
      })
    },
  )

  test('accepts many logins from one address, and shows people a page once there are too many', async () => {
    const statuses = new Set<number>()
    for (let count = 0; count < 1200; count += 1) {
      const asked = count % 2 ? '/auth/handshake' : '/auth/post_message?origin=https://evil.example'
      statuses.add((await visitor().get(asked)).statusCode)
    }
    expect(statuses).toEqual(new Set([302, 403]))
    const refused = await visitor().get('/auth/handshake')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers).toMatchObject({
      'content-type': 'text/html;charset=utf-8',
      'retry-after': '1',
    })
    expect(textIn(refused.body)).toContain('Wait a minute, then load the page again.')
    const posted = await visitor().post('/auth/handshake', { state: 'x', codehost_token: 'x' })
    expect(posted.statusCode).toBe(403)
  })

  test('refuses a target that is not allowed before redirecting anyone', async () => {
    const answer = await browser.get('/auth/handshake?redirect_uri=https%3A%2F%2Fevil.example%2F')
    expect([answer.statusCode, answer.headers.location]).toEqual([401, undefined])
    expect(textIn(answer.body)).toContain('target URI not allowed')
  })

  test('stores only a hash of the state', async () => {
    const answer = await browser.get(toTarget)
    const state = new URL(String(answer.headers.location)).searchParams.get('state') ?? ''
    const [random = ''] = state.split(':::')
    const stored = await db.selectFrom('login_states').selectAll().execute()
    expect(stored).toMatchObject([
      { hash: createHash('sha256').update(random).digest('hex'), way: 'form', target },
    ])
    expect(JSON.stringify(stored)).not.toContain(random)
  })
})

describe('a login that returns from the code host', () => {
  test('creates a new user, and posts a token to the target', async () => {
    const answer = await logIn(browser, toTarget)
    expect(answer.statusCode).toBe(200)
    const { token = '', user = '', storage } = hiddenIn(answer.body)
    expect(storage).toBe('localStorage')
    expect(token).toMatch(/^bsvc_\w{32}$/)
    expect(answer.body).toContain(`method="post" action="${target}"`)
    expect(answer.headers).not.toHaveProperty('location')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(browser.cookies.size).toBe(0)

    const [made] = await usersNow()
    expect(made).toMatchObject({
      provider: 'codehost',
      login: 'octavia',
      first_logged_in_at: ctx.now(),
      is_syncing: true,
    })
    expect(JSON.parse(user)).toMatchObject({ id: made?.id, login: 'octavia', is_syncing: true })
    const issued = await db.selectFrom('tokens').selectAll().execute()
    expect(issued).toMatchObject([{ user_id: made?.id, application: 0, purpose: 'api' }])
    expect(ctx.enqueued).toEqual([{ name: 'user.sync', payload: { user_id: made?.id } }])
  })

  test('stores the user’s code host token, sealed', async () => {
    await logIn(browser, toTarget)
    const [kept] = await db.selectFrom('codehost_tokens').selectAll().execute()
    const record = { type: 'codehost_token', id: kept?.user_id ?? 0 }
    const [at] = host.tables.tokens.filter(({ kind }) => kind === 'user').toReversed()
    expect(testSealer.openText(record, kept?.sealed_token ?? '')).toBe(at?.token)
    expect(JSON.stringify(kept)).not.toContain('ghu_')
    expect(kept?.expires_at).toEqual(new Date(ctx.now().getTime() + 8 * 60 * 60 * 1000))
  })

  test('leaves an audit record without the token', async () => {
    const answer = await logIn(browser, toTarget)
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([
      { actor: 'octavia', action: 'log_in', details: { changed: { by: 'handshake' } } },
      { actor: 'octavia', action: 'sync' },
    ])
    expect(JSON.stringify(records)).not.toContain(hiddenIn(answer.body).token)
  })

  test('finds a known user under a new login', async () => {
    await logIn(browser, toTarget)
    const [before] = await usersNow()
    await db.updateTable('users').set({ login: 'former', email: 'o@example.org' }).execute()
    ctx.pass(60)
    await logIn(browser, toTarget)
    const after = await usersNow()
    expect(after).toMatchObject([
      {
        id: before?.id,
        login: 'octavia',
        email: 'o@example.org',
        first_logged_in_at: before?.first_logged_in_at,
      },
    ])
  })

  test('succeeds while the queue is down and while a sync is running', async () => {
    const { enqueue } = ctx
    ctx.enqueue = () => Promise.reject(new Error('the queue is down'))
    const answers = [await logIn(browser, toTarget), await logIn(visitor(), toTarget)]
    ctx.enqueue = enqueue
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test('in a window sends a message to the requesting page, at its origin', async () => {
    const asked = await browser.get(byMessage)
    expect(asked.headers['set-cookie']).toContain('SameSite=None; Secure')
    const answer = await browser.get(await consent(String(asked.headers.location)))
    expect(answer.body).toMatch(
      /data-origin="https:\/\/app\.example\.org" data-token="bsvc_\w{32}"/,
    )
    expect(answer.headers['content-security-policy']).toContain(
      "frame-ancestors 'self' https://app.example.org",
    )
  })

  test('without a target starts a session for the pages', async () => {
    const answer = await logIn(browser)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/'])
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-service\.session=bsvc_\w{32}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
      ),
      '__Host-service.state-codehost=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    ])
    expect((await browser.get('/')).body).toContain('<bdi>octavia</bdi>')
  })

  test('is suggested again once the authorization has ended', async () => {
    await logIn(browser)
    const advice = 'Log out and in again'
    expect(textIn((await browser.get('/profile')).body)).not.toContain(advice)
    await db.deleteFrom('codehost_tokens').execute()
    expect(textIn((await browser.get('/profile')).body)).toContain(advice)
  })

  test('leads to the requested page', async () => {
    const answer = await logIn(browser, '/auth/handshake?to=%2Foctavia%2Fhello%3Fa%3D1')
    expect(answer.headers.location).toBe('/octavia/hello?a=1')
  })
})

test('a token of this service can be used to log in instead, and also leads to the requested page', async () => {
  const anna = await make.user('anna')
  const page = await browser.get('/login?to=%2Foctavia%2Fhello')
  expect(textIn(page.body)).toContain('Or with a token of this service')
  const form = '/auth/handshake/local?to=%2Foctavia%2Fhello'
  expect(page.body).toContain(`href="${form}"`)
  const answer = await browser.submit(form, '/auth/handshake', { codehost_token: anna.token })
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/octavia/hello'])
  expect((await browser.get('/')).body).toContain('<bdi>anna</bdi>')
})

describe('a login is refused', () => {
  const refused = [403, 'not a service user', 'This account is not allowed to log in here.']
  const unresolved = [401, 'could not resolve codehost token', 'did not say who you are']

  async function outcome(path = toTarget) {
    const { statusCode, body } = await logIn(browser, path)
    expect(body).not.toContain('bsvc_')
    expect(await usersNow()).toEqual([])
    expect(await db.selectFrom('tokens').selectAll().execute()).toEqual([])
    return [statusCode, textIn(body)]
  }

  const told = ([status, ...texts]: (number | string)[]) => [
    status,
    expect.stringMatching(new RegExp(texts.join('.*'))),
  ]

  test('for a user who can see no repository with the app installed', async () => {
    host.signIn('stranger')
    expect(await outcome()).toEqual(told(refused))
  })

  test('for a user whom the settings do not name', async () => {
    Object.assign(ctx.config, { allowedLogins: ['codehost:ada'] })
    expect(await outcome()).toEqual(told(refused))
  })

  test('for a user who belongs to no organization that the settings name', async () => {
    Object.assign(ctx.config, { allowedOrganizations: ['codehost:acme'] })
    expect(await outcome()).toEqual(told(refused))
  })

  test('while the code host is down', async () => {
    host.failNext({ kind: 'status', status: 502 }, /^POST \/login\/oauth\/access_token/)
    expect(await outcome()).toEqual(told(unresolved))
  })

  test('if the code host does not identify the user', async () => {
    host.failNext({ kind: 'status', status: 500 }, /^GET \/user$/)
    expect(await outcome()).toEqual(told(unresolved))
  })

  test('for a user who declines it', async () => {
    const asked = await browser.get(toTarget)
    const state = new URL(String(asked.headers.location)).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, error: 'access_denied' })
    const answer = await browser.get(`/auth/handshake?${query}`)
    expect([answer.statusCode, textIn(answer.body)]).toEqual([
      401,
      expect.stringContaining('You declined the login'),
    ])
  })

  test('for a user who is blocked', async () => {
    await logIn(browser, toTarget)
    await db.updateTable('users').set({ blocked_at: ctx.now() }).execute()
    const { statusCode, body } = await logIn(visitor(), toTarget)
    expect([statusCode, textIn(body)]).toEqual(told(refused))
  })
})

describe('a login succeeds for a user whom the settings name', () => {
  beforeEach(() => host.signIn('grace'))

  test.each([
    ['among the allowed logins', { allowedLogins: ['codehost:grace'] }],
    ['as an administrator', { admins: ['codehost:grace'], allowedLogins: ['codehost:ada'] }],
  ])('%s', async (_how, changes) => {
    Object.assign(ctx.config, changes)
    expect((await logIn(browser, toTarget)).statusCode).toBe(200)
  })

  test('as a member of an organization', async () => {
    host.addOrganization({ login: 'Acme', members: { grace: 'member' } })
    Object.assign(ctx.config, { allowedOrganizations: ['codehost:acme'] })
    expect((await logIn(browser, toTarget)).statusCode).toBe(200)
  })
})

describe('GET /auth/post_message with the app', () => {
  test('is a page with a frame that can hold only the code host or this service', async () => {
    const answer = await browser.get('/auth/post_message?origin=https%3A%2F%2Fapp.example.org')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain(
      'data-source="/auth/post_message/iframe?origin=https%3A%2F%2Fapp.example.org"',
    )
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("frame-src 'self' https://github.com")
    expect(policy).toContain('frame-ancestors https://app.example.org')
  })

  test.each(['', '/iframe'])('refuses other origins: %s', async (below) => {
    const answer = await browser.get(`/auth/post_message${below}?origin=https%3A%2F%2Fevil.example`)
    expect([answer.statusCode, answer.headers.location]).toEqual([403, undefined])
    expect(textIn(answer.body)).toContain('target URI not allowed')
  })
})
