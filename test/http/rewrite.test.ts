import { expect, test } from 'vitest'
import { rewrite } from '../../src/http/core/normalize-url.ts'
import { v2Endpoints } from '../../src/http/v2/endpoints/index.ts'
import { withoutPatterns } from '../support/routes.ts'

function rewritten(url: string, prefix = '', given: Record<string, string> = {}) {
  const headers = { ...given }
  return { url: rewrite({ url, headers }, prefix), headers }
}

test.each([
  ['', '/builds/1', '/builds/1'],
  ['/ci', '/ci/builds/1', '/builds/1'],
  ['/ci', '/ci', '/'],
  ['/ci', '/ci/', '/'],
  ['/ci', '/ci?x=1', '/?x=1'],
  // A proxy may have taken the prefix off already.
  ['/ci', '/builds/1', '/builds/1'],
  ['/ci', '/cinema/octavia', '/cinema/octavia'],
  ['/a/b', '/a/b/builds/1', '/builds/1'],
])('with the prefix "%s", %s is read as %s', (prefix, url, path) => {
  expect(rewritten(url, prefix).url).toBe(path)
})

test.each([
  ['/builds/', '/builds'],
  ['/builds/1/', '/builds/1'],
  ['/builds//', '/builds'],
  ['/builds/?ids=1', '/builds?ids=1'],
  ['/requests?slug=a/', '/requests?slug=a/'],
  ['/', '/'],
  ['//', '//'],
])('V2.1 reads %s as %s', (url, path) => {
  expect(rewritten(url).url).toBe(path)
})

test('V3 keeps a slash at the end, which makes another path', () => {
  expect(rewritten('/repos/', '', { 'service-api-version': '3' }).url).toBe('/repos/')
})

test.each([
  ['', '/v3/repo/1', '/repo/1'],
  ['', '/v3/', '/'],
  ['/ci', '/ci/v3/repo/1', '/repo/1'],
])('with the prefix "%s", %s is %s of V3', (prefix, url, path) => {
  expect(rewritten(url, prefix, { 'service-api-version': '2' })).toEqual({
    url: path,
    headers: { 'service-api-version': '3' },
  })
})

test.each(['/v3', '/v33/repo/1', '/v3.json'])('%s is not a path of V3', (url) => {
  expect(rewritten(url)).toEqual({ url, headers: {} })
})

test.each([
  ['/builds/1.json', '/builds/1'],
  ['/builds.json?ids=1', '/builds?ids=1'],
  ['/requests.json', '/requests'],
  ['/users/permissions.json', '/users/permissions'],
  ['/repos/12/builds.json', '/repos/12/builds'],
  ['/repos/12/builds/7.json', '/repos/12/builds/7'],
  ['/repos/12/caches.json?match=a', '/repos/12/caches?match=a'],
  ['/repos/acme/web/branches.json', '/repos/acme/web/branches'],
  ['/repos/acme%2Fweb/key.json', '/repos/acme%2Fweb/key'],
  ['/settings/env_vars.json', '/settings/env_vars'],
  ['/repos/settings/env_vars/1a-2b-3c-4d-5e.json', '/repos/settings/env_vars/1a-2b-3c-4d-5e'],
  ['/settings/ssh_key/82.json', '/settings/ssh_key/82'],
])('%s is read as %s with JSON accepted', (url, path) => {
  expect(rewritten(url, '', { accept: 'text/html' })).toEqual({
    url: path,
    headers: { accept: 'application/vnd.service.2.1+json' },
  })
})

/** What parameters of paths can be; all others are ids. */
const values: Readonly<Record<string, string>> = {
  owner: 'acme',
  name: 'web',
  env_var: '0a1b2c3d-0000-4000-8000-00000000000f',
}

const negotiated = v2Endpoints
  .filter(({ method, negotiates, acts }) => method === 'GET' && negotiates && !acts)
  .flatMap(({ paths }) => paths.map(withoutPatterns))
  .filter((path) => !/(?:\*|:name|:owner)$/.test(path))

test.each(negotiated)(
  '`.json` can follow every path that does not end in a name: %s',
  (template) => {
    const path = template.replaceAll(/:(\w+)/g, (_whole, name: string) => values[name] ?? '12')
    expect(rewritten(`${path}.json?x=1`)).toEqual({
      url: `${path}?x=1`,
      headers: { accept: 'application/vnd.service.2.1+json' },
    })
  },
)

test('`.json` keeps the accepted version', () => {
  const given = { accept: 'application/vnd.service.2+json' }
  expect(rewritten('/jobs/1.json', '', given).headers).toEqual(given)
})

test.each([
  '/repos/octavia/data.json',
  '/octavia/data.json',
  '/repos/octavia.json',
  '/repos/octavia/builds.json',
  '/repos/octavia%2Fdata.json',
  '/repos/octavia/web/branches/data.json',
  '/repos/octavia/web/branches/7.json',
])('%s ends in a name, not in a format', (url) => {
  expect(rewritten(url, '', { accept: 'text/html' })).toEqual({
    url,
    headers: { accept: 'text/html' },
  })
})
