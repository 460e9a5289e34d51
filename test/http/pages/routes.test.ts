import { beforeAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { createServer } from '../../../src/http/server.ts'
import { noon, testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { caller } from '../door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

let member: User & { token: string }
let stranger: User & { token: string }

// In the public repository build and job 1 are public; build 2 was made while it was private.
beforeAll(async () => {
  const hello = await make.repository({ name: 'hello' })
  const shown = await built(hello, 'Shown to all', false)
  await make.log(await make.job({ build: shown, number: '1.1' }), 'the output of the job\n')
  await setLastBuild(db, await built(hello, 'Made in private', true), noon)

  const secret = await make.repository({ name: 'secret', private: true })
  await setLastBuild(db, await built(secret, 'Kept in private', true), noon)
  member = await make.user('member')
  stranger = await make.user('stranger')
  await make.permission(member, secret)
  await make.permission(member, hello)
})

async function built(repository: Repository, message: string, hidden: boolean) {
  const commit = await make.commit(repository, { message })
  return make.build({ repository, commit_id: commit.id, private: hidden, state: 'passed' })
}

async function page(path: string, user?: { token: string }) {
  const authorization = user ? { authorization: `token ${user.token}` } : {}
  const answer = await call(`GET ${path}`, { accept: 'text/html', ...authorization })
  return { status: answer.statusCode, text: answer.body, headers: answer.headers }
}

const titleOf = (text: string) => /<title>(.*?)<\/title>/.exec(text)?.[1]

describe('a page', () => {
  test.each([
    ['/', 'Repositories'],
    ['/octavia/hello', 'octavia/hello'],
    ['/OCTAVIA/Hello', 'octavia/hello'],
    ['/octavia/hello/', 'octavia/hello'],
    ['/octavia/hello/builds/1', '#1'],
    ['/octavia/hello/jobs/1', '1.1'],
  ])('is at %s', async (path, title) => {
    const { status, text } = await page(path)
    expect(status).toBe(200)
    expect(titleOf(text)).toContain(title)
  })

  test.each([
    '/octavia/none',
    '/octavia/hello/builds/9',
    '/octavia/hello/builds/x',
    '/octavia/hello/builds/99999999999999999999',
    '/octavia/hello/jobs/9',
    // Hidden.
    '/octavia/secret',
    '/octavia/secret/builds/3',
    '/octavia/hello/builds/2',
    // Of another repository.
    '/octavia/none/builds/1',
    '/octavia/secret/builds/1',
    '/octavia/secret/jobs/1',
    '/octavia/hello%2Fx',
    '/octavia%2Fhello/x',
    '/a%00b/hello',
    "/'%20or%201=1--/hello",
    '/__proto__/constructor',
    '/%3Cscript%3Ealert(1)%3C%2Fscript%3E/x',
    '/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E/x',
    '/%0d%0aset-cookie:%20x=1/x',
    '/%E2%80%AEevil/x',
  ])('reports an unknown path at %s', async (path) => {
    const { status, text, headers } = await page(path)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/html;charset=utf-8')
    expect(text).toContain('There is nothing at this address')
    // Nothing of the address comes back.
    expect(text).not.toMatch(/alert|onerror|set-cookie|evil|or 1=1|__proto__/)
    expect(headers).not.toHaveProperty('set-cookie')
  })

  test.each(['branch', 'state', 'event', 'by', 'pull', 'page', 'older'])(
    'with the filter %s is shown even for a text that the database cannot hold',
    async (name) => {
      expect((await page(`/octavia/hello?${name}=a%00b`)).status).toBe(200)
    },
  )

  const policy =
    "default-src 'none';style-src 'self';img-src 'self' data:;base-uri 'none';" +
    "form-action 'self';frame-ancestors 'none'"

  test.each([
    ['/queue', policy],
    ['/', `${policy};script-src 'self';connect-src 'self' wss://ci.example.org:443`],
    ['/octavia/none', `${policy};script-src 'self';connect-src 'self' wss://ci.example.org:443`],
  ])('allows no scripts from elsewhere, and no framing: %s', async (path, expected) => {
    const { headers } = await page(path)
    expect(headers).toMatchObject({
      'content-security-policy': expected,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    })
  })

  test('is revalidated each time, by each caller', async () => {
    expect((await page('/')).headers).toMatchObject({
      'cache-control': 'no-cache',
      vary: 'Accept, Authorization, Cookie',
    })
  })
})

describe('a build made in private', () => {
  test('is shown only to users who can see it', async () => {
    for (const path of ['/', '/octavia/hello']) {
      expect((await page(path, member)).text).toContain('Made in private')
      // Who is logged in is no less a stranger.
      expect((await page(path, stranger)).text).not.toContain('Made in private')
      expect((await page(path)).text).not.toContain('Made in private')
    }
  })

  test('shows in the list of repositories only to users who can see it', async () => {
    expect((await page('/', member)).text).toContain('Kept in private')
    expect((await page('/', stranger)).text).not.toContain('secret')
    expect((await page('/')).text).not.toContain('secret')
  })
})

test('the page of a job shows its log, and links to it as plain text', async () => {
  const { text } = await page('/octavia/hello/jobs/1')
  expect(text).toContain('the output of the job')
  expect(text).toContain('href="/jobs/1/log"')
})

test.each([
  'repos',
  'builds',
  'jobs',
  'requests',
  'repo',
  'v3',
  'webhooks',
  'api',
  'assets',
  'auth',
])('the first segment /%s belongs to the API', async (segment) => {
  await make.repository({ owner_name: segment, name: 'hello' })
  const { text } = await page(`/${segment}/hello`)
  expect(text).not.toContain(`${segment}/hello`)
})

test.each(['/webhooks/hello', '/nothing/at/all', '/repo'])(
  'a browser at the unknown path %s gets a page',
  async (path) => {
    const { status, headers, text } = await page(path)
    expect([status, headers['content-type']]).toEqual([404, 'text/html;charset=utf-8'])
    expect(titleOf(text)).toContain('Not found')
    const head = await call(`HEAD ${path}`, { accept: 'text/html' })
    expect([head.statusCode, head.headers['content-type']]).toEqual([
      status,
      headers['content-type'],
    ])
  },
)

test('the style sheet is cached for ever, because its address changes with it', async () => {
  const { text } = await page('/')
  const [, path] = /href="(\/assets\/style\.css\?v=[^"]+)"/.exec(text) ?? []
  const answer = await call(`GET ${path}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/css;charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
})
