import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'
import { caller, prefixed } from '../door.ts'
import { tagsIn, textIn } from '../pages/reading.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
ctx.site.login = { ...ctx.site.login, origins: ['https://app.example.org'] }
const call = caller(await createServer(ctx))

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const form = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
const target = 'https://app.example.org/after?x="><b>'
const query = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`

let anna: User & { token: string }
beforeEach(async () => {
  anna = await make.user('anna')
})

const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy'])

/** The values of the hidden fields of a page, as a browser sends them. */
function hiddenIn(html: string): Record<string, string> {
  const fields = tagsIn(html).filter(({ attributes }) => attributes.type === 'hidden')
  return Object.fromEntries(
    fields.map(({ attributes: { name = '', value = '' } }) => [name, value]),
  )
}

/** Opens the page and sends its form, as a browser does. */
async function logIn(path: string, token: string, changes: Record<string, string> = {}) {
  const opened = await call(`GET ${path}`, browser)
  const [cookie = ''] = String(opened.headers['set-cookie']).split(';', 1)
  const fields = { ...hiddenIn(opened.body), codehost_token: token, ...changes }
  const [action = ''] = path.split('?', 1)
  return call(`POST ${action}`, { ...form, cookie }, new URLSearchParams(fields).toString())
}

describe('GET /auth/handshake in local mode', () => {
  test.each([
    `/auth/handshake?${query('redirect_uri', target)}`,
    `/auth/handshake/?${query('origin', target)}`,
    `/auth/handshake/codehost?${query('redirect_uri', target)}`,
    `/auth/handshake/local?${query('redirect_uri', target)}`,
  ])('asks for a token at %s', async (path) => {
    for (const headers of [browser, {}]) {
      const answer = await call(`GET ${path}`, headers)
      expect(answer.statusCode).toBe(200)
      expect(textIn(answer.body)).toContain('https://app.example.org asks to act for you')
      expect(hiddenIn(answer.body)).toEqual({
        redirect_uri: new URL(target).href,
        state: expect.stringMatching(/^[\w-]{22}$/),
      })
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html;charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none';style-src 'self';script-src 'self';img-src 'self' data:;" +
          "base-uri 'none';form-action 'self';frame-ancestors https://app.example.org",
      })
      expect(answer.headers['set-cookie']).toBe(
        `__Host-service.state-codehost=${hiddenIn(answer.body).state}; Path=/; Max-Age=1800; ` +
          'HttpOnly; SameSite=Lax; Secure',
      )
    }
  })

  test.each([
    'https://evil.example/',
    'javascript:alert(1)',
    '/here',
    'https://www.app.example.org',
  ])('refuses %s without redirecting to it', async (wanted) => {
    const answer = await call(`GET /auth/handshake?${query('redirect_uri', wanted)}`, browser)
    expect(answer.statusCode).toBe(401)
    expect(textIn(answer.body)).toContain('target URI not allowed')
    expect(answer.body).not.toContain('evil')
    expect(answer.headers).not.toHaveProperty('location')
    expect(answer.headers).not.toHaveProperty('set-cookie')
  })

  test('without a target leads to the pages', async () => {
    const answer = await call('GET /auth/handshake', browser)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/login'])
  })

  test('is not found for an unknown provider', async () => {
    expect((await call('GET /auth/handshake/other', {})).statusCode).toBe(404)
  })

  test('is below the path of the installation', async () => {
    const below = caller(await createServer(prefixed(testContext(db))))
    const own = query('redirect_uri', 'https://x.example.org/ci/')
    const answer = await below(`GET /ci/auth/handshake?${own}`, browser)
    expect(answer.body).toContain('action="/ci/auth/handshake"')
    expect(answer.headers['set-cookie']).toContain('Path=/ci/auth;')
    expect((await below('GET /ci/auth/handshake', browser)).headers.location).toBe('/ci/login')
  })
})

describe('POST /auth/handshake in local mode', () => {
  const path = `/auth/handshake?${query('redirect_uri', target)}`

  test('posts a new token to the target', async () => {
    const answer = await logIn(path, anna.token)
    expect(answer.statusCode).toBe(200)
    const { token = '', user = '', storage } = hiddenIn(answer.body)
    expect(storage).toBe('localStorage')
    expect(token).toMatch(/^bsvc_\w{32}$/)
    expect(token).not.toBe(anna.token)
    expect(JSON.parse(user)).toMatchObject({
      id: anna.id,
      login: 'anna',
      correct_scopes: true,
      // There are no feeds and no tokens for them yet.
      token: null,
      rss_token: null,
      web_token: null,
    })
    expect((await call('GET /', { authorization: `token ${token}` })).statusCode).toBe(200)
    expect(answer.body).toContain(
      `<form class="handover given" method="post" action="${new URL(target).href}"`,
    )
    expect(policyOf(answer.headers)).toContain('form-action https://app.example.org;')
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'set-cookie':
        '__Host-service.state-codehost=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    })
    expect(answer.headers).not.toHaveProperty('location')
  })

  test('leaves a record', async () => {
    await logIn(path, anna.token)
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records).toMatchObject([
      { actor: 'anna', action: 'issue_token', details: { changed: { by: 'handshake' } } },
    ])
  })

  test.each<[string, Record<string, string>, number, string]>([
    ['a wrong token', { codehost_token: 'wrong' }, 403, 'This token is not valid.'],
    ['no token', { codehost_token: '' }, 403, 'This token is not valid.'],
    ['another state', { state: 'x' }, 403, 'This form has expired.'],
    ['an empty state', { state: '' }, 403, 'This form has expired.'],
    ['another target', { redirect_uri: 'https://evil.example/' }, 401, 'target URI not allowed'],
  ])('refuses %s', async (_what, changes, status, text) => {
    const answer = await logIn(path, anna.token, changes)
    expect(answer.statusCode).toBe(status)
    expect(textIn(answer.body)).toContain(text)
    expect(answer.body).not.toContain('bsvc_')
    const issued = await db.selectFrom('tokens').selectAll().execute()
    expect(issued).toHaveLength(1)
  })

  test('links from a refusal back to the form', async () => {
    const { body } = await logIn(path, anna.token, { codehost_token: 'wrong' })
    expect(body).toContain('<p class="notice said state-failed" role="alert" id="problem">')
    const field = tagsIn(body).find(({ attributes }) => attributes.id === 'token')
    expect(field?.attributes).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'problem',
      autofocus: '',
    })
  })

  test('refuses a form from another site, which comes without a cookie', async () => {
    const body = new URLSearchParams({
      redirect_uri: target,
      codehost_token: anna.token,
      state: 'guessed',
    })
    const answer = await call('POST /auth/handshake', form, body.toString())
    expect(answer.statusCode).toBe(403)
    expect(hiddenIn(answer.body)).not.toHaveProperty('token')
  })
})

describe('/auth/post_message in local mode', () => {
  const path = `/auth/post_message?${query('origin', 'https://app.example.org')}`

  test('asks for a token, in a window or a frame', async () => {
    for (const each of [path, path.replace('?', '/iframe?')]) {
      const answer = await call(`GET ${each}`, browser)
      expect(answer.statusCode).toBe(200)
      expect(answer.body).toContain('<form id="waiting"')
      expect(answer.body).toContain('action="/auth/post_message"')
      expect(policyOf(answer.headers)).toContain('frame-ancestors https://app.example.org')
    }
  })

  test('takes the origin from the referring page', async () => {
    const headers = { ...browser, referer: 'https://app.example.org/page' }
    const answer = await call('GET /auth/post_message', headers)
    expect(answer.statusCode).toBe(200)
    expect(textIn(answer.body)).toContain('https://app.example.org asks to act for you')
  })

  test('sends the token only to a window of the given origin', async () => {
    const answer = await logIn(path, anna.token)
    expect(answer.statusCode).toBe(200)
    const [, origin, token = ''] =
      /data-origin="([^"]*)" data-token="([^"]*)"/.exec(answer.body) ?? []
    expect(origin).toBe('https://app.example.org')
    expect((await call('GET /', { authorization: `token ${token}` })).statusCode).toBe(200)
  })

  test.each(['https://evil.example', '*', 'null'])('refuses %s', async (origin) => {
    const answer = await call(`GET /auth/post_message?${query('origin', origin)}`, browser)
    expect(answer.statusCode).toBe(403)
    expect(textIn(answer.body)).toContain('target URI not allowed')
    expect(answer.body).not.toContain('<script')
  })
})

describe('with an app without client id and secret', () => {
  const server = createServer(testContext(db, { codehost: memoryCodehost() }))
  const own = query('origin', 'https://ci.example.org')

  test.each(['GET /auth/handshake', `GET /auth/post_message?${own}`, `GET /auth/handshake?${own}`])(
    '%s names the missing settings',
    async (asked) => {
      const answer = await caller(await server)(asked, browser)
      expect(answer.statusCode).toBe(401)
      expect(answer.headers['content-type']).toBe('text/html;charset=utf-8')
      const text = textIn(answer.body)
      expect(text).toContain('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET are missing')
      expect(text).toContain('build-service token --user LOGIN')
    },
  )
})
