import { describe, expect, test } from 'vitest'
import { createServer } from '../../../../src/http/server.ts'
import { docsPage } from '../../../../src/lint/describe-code.ts'
import { fixOf, subjects, summaryOf } from '../../../../src/lint/subjects.ts'
import { testContext } from '../../../support/context.ts'
import { testDatabase } from '../../../support/database.ts'
import { caller, prefixed } from '../../door.ts'
import { addressesIn, textIn } from '../reading.ts'

const ctx = testContext(await testDatabase())
const call = caller(await createServer(ctx))
const below = caller(await createServer(prefixed(ctx)))

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const spaced = (text: string) => text.replaceAll('`', ' ').replaceAll(/\s+/g, ' ').trim()

describe('GET /docs/lint', () => {
  test.each(['/docs/lint', '/docs/lint/', '/docs/lint?x=1'])('is a page at %s', async (path) => {
    const answer = await call(`GET ${path}`, browser)
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      200,
      'text/html;charset=utf-8',
    ])
    expect(textIn(answer.body)).toContain('What the linter finds Messages come from')
  })

  test('lists all codes, with links', async () => {
    const { body } = await call('GET /docs/lint', browser)
    const text = textIn(body)
    for (const subject of subjects) expect(text).toContain(spaced(summaryOf(subject)))
    const links = addressesIn(body).filter((address) => address.startsWith('/docs/lint/'))
    expect(links).toEqual(subjects.map(({ code }) => `/docs/${docsPage(code)}`))
  })

  test('links to all codes below the path of the installation', async () => {
    const { body } = await below('GET /ci/docs/lint', browser)
    const links = addressesIn(body).filter((address) => address.includes('find_key'))
    expect(links).toEqual(['/ci/docs/lint/find_key'])
    expect((await below(`GET ${links[0]}`, browser)).statusCode).toBe(200)
  })
})

test.each(subjects)('$code has a page with its examples', async (subject) => {
  const { code, text, examples } = subject
  const answer = await call(`GET /docs/${docsPage(code)}`, browser)
  expect(answer.statusCode).toBe(200)
  const shown = textIn(answer.body)
  expect(shown.startsWith(`${code} `)).toBe(true)
  for (const paragraph of text) expect(shown).toContain(spaced(paragraph))
  for (const { source, messages, fixed = '' } of examples) {
    for (const part of [source, ...messages, fixed]) expect(shown).toContain(spaced(part))
  }
  expect(shown.includes('Fixed by')).toBe(fixOf(subject) !== 'none')
})

test.each([
  '/docs/lint/nothing',
  '/docs/lint/__proto__',
  '/docs/lint/%3Cb%3E',
  '/docs/hello',
  '/docs/lint/find_key/more',
  '/docs/hello/builds/1',
])('%s is reported as unknown with a page', async (path) => {
  const answer = await call(`GET ${path}`, browser)
  expect(answer.statusCode).toBe(404)
  expect(textIn(answer.body)).toContain('There is nothing at this address')
})

test.each(['/docs/lint', '/docs/lint/find_key'])(
  '%s is an unknown path of the API',
  async (path) => {
    for (const headers of [{}, { accept: 'application/json' }]) {
      const answer = await call(`GET ${path}`, headers)
      expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
    }
    const answer = await call(`GET ${path}`, { ...browser, 'service-api-version': '3' })
    expect([answer.statusCode, answer.json()]).toMatchObject([404, { error_type: 'not_found' }])
  },
)

test.each(['POST', 'PUT', 'DELETE'])('%s is refused for pages of the docs', async (method) => {
  const answer = await call(`${method} /docs/lint`, browser)
  expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
})
