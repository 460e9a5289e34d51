import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { allowedTarget, ownPath } from '../../src/http/identity/allowed-target.ts'
import { siteOf } from '../../src/service/site.ts'

const site = (settings: Record<string, string>) =>
  siteOf(readConfig({ DATA_DIR: '/nowhere', ...settings }), 3000)

const listed = 'https://app.example.org, https://other.example.org:8443/'
const team = site({ PUBLIC_URL: 'https://ci.example.org/ci', ALLOWED_ORIGINS: listed })
const laptop = site({})
const app = site({ APP_ID: '1', PRIVATE_KEY: 'x', WEBHOOK_SECRET: 'x' })

test.each([
  'https://ci.example.org',
  'https://ci.example.org/anything?x=1#y',
  'https://CI.example.org:443/',
  'https://app.example.org/after/login',
  'https://other.example.org:8443/',
])('a login can redirect to %s', (target) => {
  expect(allowedTarget(team, target)?.href).toBe(new URL(target).href)
})

test.each([
  'http://ci.example.org/',
  'https://ci.example.org:444/',
  'https://www.ci.example.org/',
  'https://example.org/',
  'https://app.example.org.evil.example/',
  'https://app.example.org@evil.example/',
  'https://me:secret@app.example.org/',
  'https://other.example.org/',
  'http://plain.example.org/',
  'http://app.example.org/',
  'http://localhost:4000/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//app.example.org/',
  '/after/login',
  '',
  'https://app.example.org\0/',
])('a login cannot redirect to %j', (target) => {
  expect(allowedTarget(team, target)).toBeUndefined()
})

test.each([
  ['http://localhost:4000/x', true],
  ['https://127.0.0.1:1024/', true],
  ['http://127.0.0.1:3000/', true],
  ['http://localhost:1023/', false],
  ['http://localhost/', false],
  ['http://localhost.evil.example:4000/', false],
  ['http://127.0.0.2:4000/', false],
  ['javascript://localhost:4000/%0aalert(1)', false],
  ['ftp://localhost:4000/', false],
])('whether a login can redirect to a program on the same machine: %s %s', (target, expected) => {
  expect(allowedTarget(laptop, target) !== undefined).toBe(expected)
  const isOwn = new URL(target).origin === 'http://127.0.0.1:3000'
  expect(allowedTarget(app, target) !== undefined).toBe(isOwn)
})

test.each(['/../x', '/%2e%2e/x', '/a/../../evil'])(
  'a path with dots cannot lead out of the prefix: %s',
  (path) => {
    expect(ownPath(team, path)).toBeUndefined()
  },
)

test('a path with dots can stay within the prefix', () => {
  expect(ownPath(team, '/a/../octavia/hello?x=1')).toBe('/octavia/hello?x=1')
})
