import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { ownDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'
import { caller, prefixed } from './door.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))
const below = caller(await createServer(prefixed(testContext(db))))

beforeAll(async () => {
  await make.job({ build: await make.build() })
})

const hello = { hello: 'world' }

/** Which generation this response to `GET /` is from. */
function whose({ headers, body }: { headers: Record<string, unknown>; body: string }): string {
  if (String(headers['content-type']).startsWith('text/html')) return 'page'
  const document = JSON.parse(body) as { '@type'?: string; hello?: string }
  return document['@type'] === 'home' ? 'V3' : document.hello === hello.hello ? 'V2.1' : body
}

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

describe('GET / is handled by', () => {
  test.each([
    ['V2.1', {}],
    ['V2.1', { accept: '*/*' }],
    ['V2.1', { accept: 'application/json' }],
    ['V2.1', { accept: 'application/vnd.service.2.1+json' }],
    ['V2.1', { accept: 'application/vnd.service.2+json' }],
    ['V2.1', { accept: 'application/vnd.service.4+json' }],
    ['V3', { 'service-api-version': '3' }],
    ['V3', { accept: 'application/vnd.service.3+json' }],
    ['V3', { accept: 'text/plain, application/vnd.service.3+anything' }],
    ['V3', { 'service-api-version': '3', accept: 'application/vnd.service.2.1+json' }],
    ['V3', { 'service-api-version': '3', accept: browser }],
    // The version header beats what is accepted (D23).
    ['V2.1', { 'service-api-version': '2', accept: 'application/vnd.service.3+json' }],
    ['V2.1', { 'service-api-version': '2.1', accept: 'application/vnd.service.3+json' }],
    ['V2.1', { 'service-api-version': '3.0' }],
    ['V2.1', { 'service-api-version': '33' }],
    ['V2.1', { 'service-api-version': '' }],
    ['V2.1', { 'service-api-version': '2', accept: browser }],
    ['page', { accept: browser }],
    ['page', { accept: 'text/html' }],
    ['page', { accept: 'application/xhtml+xml' }],
    ['page', { accept: 'text/html, application/json' }],
    ['page', { accept: 'application/json;q=0.5, text/html' }],
    ['V2.1', { accept: 'text/html;q=0.5, application/json' }],
    ['V2.1', { accept: '*/*, text/html;q=0.9' }],
  ])('%s for %j', async (generation, headers) => {
    const answer = await call('GET /', headers)
    expect(answer.statusCode).toBe(200)
    expect(whose(answer)).toBe(generation)
  })
})

describe('the path form of V3', () => {
  test.each([{}, { accept: browser }, { 'service-api-version': '2' }])(
    'takes precedence over all headers: %j',
    async (headers) => {
      expect(whose(await call('GET /v3/', headers))).toBe('V3')
      expect((await call('GET /v3/repo/1', headers)).json()).toMatchObject({
        '@type': 'repository',
        '@href': '/v3/repo/1',
      })
    },
  )

  test.each([{}, { accept: browser }, { 'service-api-version': '3' }])(
    'is redirected without a slash: %j',
    async (headers) => {
      const answer = await call('GET /v3', headers)
      expect([answer.statusCode, answer.headers.location, answer.body]).toEqual([307, '/v3/', ''])
    },
  )

  test('has errors of V3', async () => {
    for (const path of ['/v3/nowhere', '/v3/builds/1', '/v3/%zz']) {
      expect((await call(`GET ${path}`)).json()).toMatchObject({ '@type': 'error' })
    }
    expect((await call('PUT /v3/repo/1')).statusCode).toBe(405)
  })
})

describe('an unknown path is not passed on', () => {
  test.each(['/builds/1', '/repos/1', '/jobs/1', '/jobs/1/log', '/requests/1', '/config'])(
    'from V3 to V2.1: %s',
    async (path) => {
      const answer = await call(`GET ${path}`, { 'service-api-version': '3' })
      expect([answer.statusCode, answer.json()]).toEqual([
        404,
        {
          '@type': 'error',
          error_type: 'not_found',
          error_message: 'resource not found (or insufficient access)',
          resource_type: null,
        },
      ])
    },
  )

  test('from V2.1 to V3', async () => {
    const answer = await call('GET /repo/1')
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  })

  test.each(['/repos/1', '/builds/1', '/v3/repo/1'])(
    'to a page: %s gets a response of the API in a browser',
    async (path) => {
      const { headers } = await call(`GET ${path}`, { accept: 'text/html, */*;q=0.1' })
      expect(headers['content-type']).toMatch(/^application\/json/)
    },
  )

  test.each(['/octavia', '/nowhere/at/all'])(
    'to JSON: a browser gets a page for %s',
    async (path) => {
      const { statusCode, headers } = await call(`GET ${path}`, { accept: 'text/html, */*;q=0.1' })
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html;charset=utf-8'])
    },
  )

  test('to a page: a resource without a page is refused if only HTML is accepted', async () => {
    const answer = await call('GET /builds/1', { accept: 'text/html' })
    expect([answer.statusCode, answer.body]).toEqual([406, ''])
    // A missing record is reported first.
    expect((await call('GET /builds/9', { accept: 'text/html' })).statusCode).toBe(404)
  })

  test('to the API: a form sent to a page without forms is not found', async () => {
    const answer = await call('POST /octavia/hello', { accept: 'text/html' })
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  })
})

describe('an installation below a path', () => {
  const v3 = { 'service-api-version': '3' }

  test.each([
    ['/ci', {}, 'V2.1'],
    ['/ci/', {}, 'V2.1'],
    ['/', {}, 'V2.1'],
    ['/ci', v3, 'V3'],
    ['/ci/v3/', {}, 'V3'],
    ['/ci/', { accept: browser }, 'page'],
  ])('is reached at %s with the headers %j', async (path, headers, generation) => {
    expect(whose(await below(`GET ${path}`, headers))).toBe(generation)
  })

  test.each([
    ['/ci/repo/1', v3, '/ci/repo/1'],
    ['/ci/v3/repo/1', {}, '/ci/v3/repo/1'],
    ['/v3/repo/1', {}, '/ci/v3/repo/1'],
    // Only a trusted proxy might say where it stands.
    ['/ci/repo/1', { ...v3, 'x-script-name': '/evil' }, '/ci/repo/1'],
  ])('returns its paths with the prefix: %s %j', async (path, headers, href) => {
    expect((await below(`GET ${path}`, headers)).json()).toMatchObject({ '@href': href })
  })

  test('redirects the bare path of V3 within the prefix', async () => {
    expect((await below('GET /ci/v3')).headers.location).toBe('/ci/v3/')
  })

  test('has the prefix in every link of its pages', async () => {
    const { body } = await below('GET /ci/octavia/hello', { accept: browser })
    const links = [...body.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link)
    expect(links.length).toBeGreaterThan(2)
    expect(links.filter((link) => !link?.startsWith('/ci/'))).toEqual([])
  })

  test('serves its style sheet', async () => {
    const { body } = await below('GET /ci/', { accept: browser })
    const [, path] = /href="(\/ci\/assets\/style\.css[^"]*)"/.exec(body) ?? []
    const answer = await below(`GET ${path}`, { accept: 'text/css,*/*;q=0.1' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/css;charset=utf-8')
  })
})
