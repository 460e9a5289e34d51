import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { addOwnerVariable } from '../../support/owner-variable.ts'
import { caller } from '../door.ts'
import { callIn, endpointsOf } from '../endpoints.ts'
import type { Words } from '../endpoints/paths.ts'
import { keptBy } from '../v3/kept.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const site = { ...ctx.site, admins: ['codehost:member'] }
const call = caller(await createServer({ ...ctx, site }))
let token = ''

beforeAll(async () => {
  const member = await make.user('member')
  token = member.token
  const repository = await make.repository({ name: 'r1', private: false })
  const acme = await make.organization('acme')
  await make.membership(member, acme, 'admin')
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' }, { codehost_id: 77 })
  const build = await make.build({ repository })
  await make.log(await make.job({ build }), 'hello\n')
  await make.permission(member, repository, 'admin')
  await make.delivery({ guid: '1' })
  const ofAcme = { owner_id: acme.id, owner_type: 'Organization' } as const
  await addOwnerVariable(db, ofAcme, { id: words['account_env_var'] ?? '' })
  await keptBy(db, repository.id)
})

/** What paths name. */
const words: Words = {
  ...{ owner: 'octavia', name: 'r1', provider: 'codehost', branch: 'main', login: 'octavia' },
  ...{ setting: 'build_pushes', preference: 'consume_oss_credits', installation: '77' },
  account_env_var: '00000000-0000-4000-8000-000000000001',
}

/** What is no resource: it answers in a form of its own, or changes something. */
const others =
  /\.(?:atom|svg|xml)$|\/cc$|^\/(?:auth|docs|logout|unsubscribe)|\/branches\/|\/:env_var$|^\/user\/:user\/account_env_var\/|^\/settings\/ssh_key|^\/job\/:job\/log(?:\.txt|_parts)$/

/** What V3 shows of the caller alone. */
const ofCaller = ['/builds', '/jobs']

/** Every endpoint of a generation that reads, as it is called for what everyone can see. */
function readsOf(generation: 'v2' | 'v3'): string[] {
  return endpointsOf(generation)
    .filter(({ method, path }) => method === 'GET' && !others.test(path))
    .filter(({ path }) => !(generation === 'v3' && ofCaller.includes(path)))
    .map((endpoint) => callIn(endpoint, words))
    .toSorted()
}

const isLog = (path: string) => /\/logs?(?:\.txt)?$/.test(path)
/** Those of V2.1 that answer in one form whatever is accepted. */
const fixed = new Set(['/', '/config'])

function typeOf(path: string): string {
  if (isLog(path)) return 'text/plain;charset=utf-8'
  return fixed.has(path) ? 'application/json' : 'application/json;charset=utf-8'
}

const withQuery = (path: string, query: string) => path + (path.includes('?') ? '&' : '?') + query

type Headers = Record<string, string>

const member = (): Headers => ({ authorization: `token ${token}` })

async function ask(path: string, headers: Headers = {}, method = 'GET') {
  const { statusCode, headers: sent, body } = await call(`${method} ${path}`, headers)
  return { status: statusCode, type: sent['content-type'], headers: sent, body }
}

describe.each(readsOf('v2'))('V2.1: GET %s', (path) => {
  const resource = () => ask(path, member())

  test.each<[string, Headers]>([
    ['2.1 by Accept', { accept: 'application/vnd.service.2.1+json' }],
    ['2.1 by header', { 'service-api-version': '2.1' }],
    ['2 by Accept', { accept: 'application/vnd.service.2+json' }],
    ['anything', { accept: '*/*' }],
    ['a version and anything', { accept: 'application/vnd.service.2.1+json, */*;q=0.8' }],
    ['an unknown version', { accept: 'application/vnd.service.9+json' }],
  ])('responds to %s alike', async (_name, headers) => {
    const isText = isLog(path) && 'accept' in headers
    const answer = await ask(path, { ...member(), ...(isText ? {} : headers) })
    expect(answer.status).toBe(200)
    expect(answer.body).toBe((await resource()).body)
  })

  test.each(['token', 'Token', 'Bearer', 'Basic'])(
    'accepts a token with the scheme %s',
    async (scheme) => {
      const written = scheme === 'Basic' ? Buffer.from(`${token}:`).toString('base64') : token
      const { status, headers } = await ask(path, { authorization: `${scheme} ${written}` })
      expect([status, headers['x-oauth-scopes'], headers['x-accepted-oauth-scopes']]).toEqual([
        200,
        'public,private',
        'private',
      ])
    },
  )

  test('refuses a wrong token in plain text, whatever type is accepted', async () => {
    for (const headers of [
      { authorization: 'token wrong' },
      { authorization: 'Bearer wrong', accept: 'image/png' },
    ]) {
      const { status, type, body } = await ask(path, headers)
      expect([status, type, body]).toEqual([403, 'text/plain;charset=utf-8', 'access denied'])
    }
    expect((await ask(withQuery(path, 'token=x'))).status).toBe(403)
  })

  test('responds with 406 and no body if its type is not accepted', async () => {
    const { status, body } = await ask(path, { ...member(), accept: 'image/png' })
    const usual = await resource()
    expect([status, body]).toEqual(fixed.has(path) ? [200, usual.body] : [406, ''])
  })

  test('is JSON with a charset, is not cached, and varies by caller', async () => {
    const { type, headers } = await resource()
    expect(type).toBe(typeOf(path))
    expect(headers['cache-control']).toMatch(/no-cache|no-store/)
    expect(headers.vary).toContain('Authorization')
  })

  test('has the same headers for HEAD, and no body', async () => {
    const { status, type, body } = await ask(path, member(), 'HEAD')
    expect([status, type, body]).toEqual([200, (await resource()).type, ''])
  })

  test('ignores a slash at the end', async () => {
    const [before = '', query] = path.split('?')
    const slashed = before === '/' ? '/' : `${before}/`
    const answer = await ask(query === undefined ? slashed : `${slashed}?${query}`, member())
    expect([answer.status, answer.body]).toEqual([200, (await resource()).body])
  })

  test('allows other origins, and their preflights', async () => {
    const origin = 'https://elsewhere.example'
    expect((await ask(path, { origin })).headers['access-control-allow-origin']).toBe('*')
    const preflight = await ask(path, { origin, 'access-control-request-method': 'GET' }, 'OPTIONS')
    expect([preflight.status, preflight.body]).toEqual([204, ''])
  })
})

test.each(readsOf('v2').filter((path) => !isLog(path)))(
  'V2.1: GET %s is indented or a script if the query requests it',
  async (path) => {
    const { body } = await ask(path, member())
    const pretty = await ask(withQuery(path, 'pretty=true'), member())
    expect(pretty.body).toBe(JSON.stringify(JSON.parse(body), null, 2))
    const script = await ask(withQuery(path, 'callback=on.data'), member())
    expect([script.type, script.body]).toEqual([
      'application/javascript;charset=utf-8',
      `/**/on.data(${body})`,
    ])
    const bad = await ask(withQuery(path, 'callback=alert(1)'))
    expect([bad.status, bad.body]).toEqual([400, 'Bad Request'])
  },
)

describe.each(readsOf('v3'))('V3: GET %s', (path) => {
  const version = { 'service-api-version': '3' }
  const v3 = () => ({ ...version, ...member() })
  const resource = () => ask(path, v3())

  test.each<[string, Headers]>([
    ['its version in a header', version],
    ['its type', { accept: 'application/vnd.service.3+json' }],
    ['its type among others', { accept: 'application/vnd.service.3+json, text/html' }],
    ['a header that beats the type', { ...version, accept: 'application/vnd.service.2.1+json' }],
    ['a type that it does not have', { ...version, accept: 'image/png' }],
  ])('is chosen by %s', async (_name, headers) => {
    const answer = await ask(path, { ...member(), ...headers })
    expect([answer.status, answer.body]).toEqual([200, (await resource()).body])
    expect(JSON.parse(answer.body)).toHaveProperty('@type')
  })

  test('is chosen by its path, which is then also in its links', async () => {
    const answer = await ask(`/v3${path}`, member())
    const { body } = await resource()
    const linked = body.replaceAll(/("(?:@href|uri_template)": ")\//g, '$1/v3/')
    expect([answer.status, answer.body]).toEqual([200, linked])
  })

  test.each([
    ['a wrong token', 'token wrong'],
    ['an unknown scheme', 'Digest abc'],
  ])('refuses %s', async (_name, authorization) => {
    const { status, body } = await ask(path, { ...version, authorization })
    expect(status).toBe(403)
    expect(JSON.parse(body)).toEqual({
      '@type': 'error',
      error_type: 'wrong_credentials',
      error_message: 'access denied',
    })
  })

  test('shows the caller’s scopes', async () => {
    expect((await ask(path, version)).headers['x-oauth-scopes']).toBe('')
    expect((await resource()).headers['x-oauth-scopes']).toBe('public,private')
  })

  test('warns of an unknown parameter, and ignores it', async () => {
    const { status, body } = await ask(withQuery(path, 'foo=1'), v3())
    expect(status).toBe(200)
    expect(JSON.parse(body)).toMatchObject({
      '@warnings': [{ '@type': 'warning', warning_type: 'ignored_parameter', parameter: 'foo' }],
    })
  })

  test('refuses a malformed include', async () => {
    const { status, body } = await ask(withQuery(path, 'include=zzz'), v3())
    expect(status).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ '@type': 'error', error_type: 'wrong_params' })
  })

  test('responds with 405 to methods that it does not support', async () => {
    const { status, body } = await ask(path, v3(), 'PUT')
    expect(status).toBe(405)
    expect(JSON.parse(body)).toMatchObject({ error_type: 'method_not_allowed' })
  })

  test('has the same headers for HEAD, and no body', async () => {
    const { status, type, body } = await ask(path, v3(), 'HEAD')
    expect([status, type, body]).toEqual([200, (await resource()).type, ''])
  })
})
