import { test } from 'vitest'
import http from 'node:http'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

test('x', async () => {
  const repo = await make.repository()
  const build = await make.build({ repository: repo, state: 'passed' })
  const job = await make.job({ build, state: 'passed' })
  await make.log(job, 'hello\n', 'x'.repeat(5000))
  const out: string[] = []
  async function show(method: string, url: string, headers: Record<string, string> = {}, payload?: string) {
    const a = await server.inject({ method: method as 'GET', url, headers, ...(payload === undefined ? {} : { payload }) })
    out.push(`${method} ${url} ${JSON.stringify(headers)}\n  -> ${a.statusCode} ${JSON.stringify(a.headers)}\n  ${a.body.slice(0, 300)}`)
  }
  const v3 = { 'service-api-version': '3' }
  await show('GET', '/')
  await show('GET', '/builds/1')
  await show('GET', '/builds/1', { accept: 'image/png' })
  await show('HEAD', '/builds/1')
  await show('OPTIONS', '/whatever')
  await show('OPTIONS', '/builds/1', { origin: 'https://x.org', 'access-control-request-method': 'GET' })
  await show('GET', '/%zz')
  await show('GET', '/%zz', v3)
  await show('GET', '/%zz', { ...v3, authorization: 'token x', 'x-request-id': 'abc' })
  await show('GET', `/repos/${'a'.repeat(2000)}`)
  await show('GET', `/repo/${'a'.repeat(2000)}`, v3)
  await show('POST', '/builds/1', { 'content-type': 'weird' }, 'x')
  await show('POST', '/builds/1', { 'content-type': 'application/json' }, '{')
  await show('POST', '/repo/1', { ...v3, 'content-type': '' }, '{')
  await show('PUT', '/repo/1', v3)
  await show('GET', '/repos/a%00b/c')
  await show('GET', '/repo/a%00%2Fb', v3)
  await show('GET', '/repo/constructor/o%2Fn', v3)
  await show('GET', '/repos/octavia/hello%2Fx')
  await show('GET', '/repos/octavia/hello.json')
  await show('GET', '/builds/1.json', { accept: 'text/html' })
  await show('GET', '/builds/1?callback=a.b&pretty=1')
  await show('GET', '/builds/9?callback=a.b')
  await show('GET', '/builds/9?callback=a(b')
  await show('GET', '/builds/9?pretty=2')
  await show('GET', '/jobs/1/log', { 'accept-encoding': 'gzip' })
  await show('HEAD', '/jobs/1/log', { 'accept-encoding': 'gzip' })
  await show('GET', '/builds/1', { 'accept-encoding': 'gzip' })
  await show('GET', '/jobs/1/log.txt', { accept: 'application/json' })
  await show('GET', '/v3')
  await show('GET', '/v3/')
  await show('GET', '/repo/1?include=repository.owner', v3)
  await show('GET', '/repo/1', { ...v3, accept: 'text/plain' })
  await show('GET', '/octavia/hello', { accept: 'text/html' })
  await show('GET', '/octavia/nope', { accept: 'text/html' })
  await show('GET', '/builds/1?token=x')
  await show('GET', '/requests?repository_id=1&older_than=999999999999999999999999')
  await show('GET', '/jobs/1/log?after=999999999999999999999999', { accept: 'application/json; chunked=true' })
  await show('POST', '/webhooks/codehost', {}, '')
  await show('POST', '/webhooks/codehost', { 'content-type': 'weird' }, 'x')
  console.log(out.join('\n'))
  void http
})
