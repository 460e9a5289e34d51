import { beforeAll, expect, test } from 'vitest'
import { createServer } from '../../../../src/http/server.ts'
import { testContext } from '../../../support/context.ts'
import { ownDatabase } from '../../../support/database.ts'
import { factories } from '../../../support/factories.ts'
import { caller } from '../../door.ts'
import { tagsIn, textIn } from '../reading.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = caller(await createServer(testContext(db)))

beforeAll(async () => {
  const names = ['hello', 'hello_world', 'helloworld', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  for (const name of names) await make.repository({ owner_name: 'Octavia', name })
  await make.repository({ owner_name: 'Octavia', name: 'hello-secret', private: true })
})

const home = async (query: string) => {
  const { statusCode, body } = await call(`GET /${query}`, { accept: 'text/html' })
  expect(statusCode).toBe(200)
  const found = [...textIn(body).matchAll(/Octavia\/(\S+)/g)].map(([, name = '']) => name)
  return { body, text: textIn(body), found: new Set(found) }
}

test.each([
  ['?search=HELLO', ['hello', 'hello_world', 'helloworld']],
  ['?search=octavia/hello_', ['hello_world']],
  ['?search=%20hello%25%20', []],
  ['?search=%00none', []],
])('%s finds repositories by a part of their names', async (query, expected) => {
  const { found, text } = await home(query)
  expect(found).toEqual(new Set(expected))
  expect(text.includes('No repository that you can see has')).toBe(expected.length === 0)
  expect(text).toContain('Show all')
})

test('the search text is shown as plain text', async () => {
  const { body } = await home(`?search=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(body).not.toContain('<script>alert')
  const field = tagsIn(body).find(({ attributes }) => attributes.name === 'search')
  expect(field?.attributes.value).toBe('"><script>alert(1)</script>')
})

test('the search field is shown on the home page, and on the page of a missing repository', async () => {
  expect((await home('')).body).toContain('name="search"')
  const missing = await call('GET /octavia/nothing', { accept: 'text/html' })
  expect([missing.statusCode, missing.body]).toEqual([
    404,
    expect.stringContaining('name="search"'),
  ])
})
