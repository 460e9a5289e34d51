// A login must end in the browser that began it, only once, and must not hand a token to another
// site.
import { beforeEach, describe, expect, test } from 'vitest'
import { callback, loginScene, toTarget, type Visitor } from '../http/login-scene.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
const { ctx, host, consent, logIn, visitor } = await loginScene(db)

let victim: Visitor
beforeEach(() => {
  victim = visitor()
})

/** The address to which a browser is redirected when it begins a login, and its state. */
async function begin(browser: Visitor, path = toTarget) {
  const asked = await browser.get(path)
  const address = String(asked.headers.location)
  return { address, state: new URL(address).searchParams.get('state') ?? '' }
}

const issued = () => db.selectFrom('tokens').selectAll().execute()

/** The response links to the pages, without a cookie or a token. */
async function expectNothing(answer: Awaited<ReturnType<Visitor['get']>>, tokens = 0) {
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/'])
  expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-service\.state-codehost=;/)
  expect(await issued()).toHaveLength(tokens)
}

describe('state reuse', () => {
  test('a state that has completed a login cannot complete a second one', async () => {
    const { address, state } = await begin(victim)
    const back = await consent(address)
    expect((await victim.get(back)).statusCode).toBe(200)
    victim.cookies.set('__Host-service.state-codehost', encodeURIComponent(state))
    await expectNothing(await victim.get(back), 1)
    // A new code does not help either.
    await expectNothing(await victim.get(await consent(address)), 1)
  })

  test('two simultaneous callbacks with one state complete one login', async () => {
    const { address, state } = await begin(victim)
    const backs = [await consent(address), await consent(address)]
    const twin = visitor()
    twin.cookies.set('__Host-service.state-codehost', encodeURIComponent(state))
    const answers = await Promise.all([victim.get(backs[0] ?? ''), twin.get(backs[1] ?? '')])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 302]))
    expect(await issued()).toHaveLength(1)
  })

  test('a state expires after half an hour', async () => {
    const { address } = await begin(victim)
    const back = await consent(address)
    ctx.pass(30 * 60)
    await expectNothing(await victim.get(back))
  })

  test('a failed attempt uses up the state as well', async () => {
    const { address, state } = await begin(victim)
    await victim.get(`${callback}?${new URLSearchParams({ state, code: 'wrong' })}`)
    victim.cookies.set('__Host-service.state-codehost', encodeURIComponent(state))
    await expectNothing(await victim.get(await consent(address)))
  })
})

describe('login CSRF', () => {
  test('a user who follows the callback link of an attacker is not logged in as the attacker', async () => {
    const attacker = visitor()
    host.signIn('octavia')
    const { address } = await begin(attacker, '/auth/handshake')
    const back = await consent(address)
    await expectNothing(await victim.get(back))
    expect(victim.cookies.size).toBe(0)
  })

  test('the callback link does not log in a user who has started another login', async () => {
    const { address } = await begin(visitor(), '/auth/handshake')
    await begin(victim, '/auth/handshake')
    await expectNothing(await victim.get(await consent(address)))
  })

  test('the callback link does not log in a user whose state cookie was set by a neighbouring host', async () => {
    const { address, state } = await begin(visitor(), '/auth/handshake')
    victim.cookies.set('service.state-codehost', encodeURIComponent(state))
    await expectNothing(await victim.get(await consent(address)))
  })

  test('a stolen code is useless without the verifier', async () => {
    const { address } = await begin(victim)
    const stolen = new URL(await consent(address)).searchParams.get('code') ?? ''
    const thief = visitor()
    const { state } = await begin(thief)
    const answer = await thief.get(`${callback}?${new URLSearchParams({ state, code: stolen })}`)
    expect(answer.statusCode).toBe(401)
    expect(await issued()).toEqual([])
  })
})

describe('open redirect', () => {
  const outside = [
    'https://evil.example/',
    '//evil.example/',
    String.raw`/\evil.example/`,
    String.raw`\\evil.example`,
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '///evil.example',
    String.raw`/\/evil.example`,
    '/.//evil.example',
    '/%2f%2fevil.example/..//',
    '@evil.example/',
    '.evil.example/',
    ':80@evil.example/',
  ]

  test.each(outside)('after a login to the pages: %j', async (to) => {
    const answer = await logIn(victim, `/auth/handshake?to=${encodeURIComponent(to)}`)
    const { location = '' } = answer.headers
    expect(new URL(location, 'https://ci.example.org/').origin).toBe('https://ci.example.org')
  })

  test.each(outside)('of a logged-in user: %j', async (to) => {
    await logIn(victim)
    const { headers } = await victim.get(`/login?to=${encodeURIComponent(to)}`)
    const { origin } = new URL(String(headers.location), 'https://ci.example.org/')
    expect(origin).toBe('https://ci.example.org')
  })

  test.each(outside)('no token is handed over to %j', async (wanted) => {
    for (const name of ['redirect_uri', 'origin']) {
      const answer = await victim.get(`/auth/handshake?${name}=${encodeURIComponent(wanted)}`)
      expect([answer.statusCode, answer.headers.location]).toEqual([401, undefined])
    }
  })

  test('a target that replaces the requested one is refused', async () => {
    const { address, state } = await begin(victim)
    const changed = state.replace('https://app.example.org/after', 'https://evil.example/')
    const back = new URL(await consent(address))
    back.searchParams.set('state', changed)
    victim.cookies.set('__Host-service.state-codehost', encodeURIComponent(changed))
    const answer = await victim.get(back.href)
    // The requested target is known here.
    expect(answer.body).not.toContain('evil')
  })

  test('a target that is no longer allowed gets no token', async () => {
    const { address } = await begin(victim)
    const { origins } = ctx.site.login
    Object.assign(ctx.site.login, { origins: [] })
    const answer = await victim.get(await consent(address))
    Object.assign(ctx.site.login, { origins })
    expect(answer.statusCode).toBe(401)
    expect(answer.body).not.toContain('bsvc_')
    expect(await issued()).toEqual([])
    expect(victim.cookies.has('__Host-service.state-codehost')).toBe(false)
  })
})
