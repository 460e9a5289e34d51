import { expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memoryCodehost } from '../../support/memory-codehost.ts'
import { prefixed } from '../door.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))
const call = v2Client(server)

test('GET / says hello', async () => {
  expect(await call('GET /')).toEqual({ status: 200, body: { hello: 'world' } })
})

const config = {
  notifications: {
    webhook: {
      public_key: expect.stringMatching(
        /^-----BEGIN PUBLIC KEY-----\n[\s\S]+-----END PUBLIC KEY-----\n$/,
      ),
    },
  },
  host: 'ci.example.org',
  shorten_host: null,
  assets: {},
  streaming: {
    key: '278d425bdf160c739803',
    host: 'ci.example.org',
    port: 443,
    scheme: 'https',
    secure: true,
    private: true,
  },
  codehost: {
    api_url: 'https://ci.example.org/v3',
    scopes: ['read:org', 'user:email', 'repo_deployment', 'repo:status', 'write:repo_hook'],
  },
}

test('GET /config shows how to connect', async () => {
  expect(await call('GET /config')).toEqual({ status: 200, body: { config } })
})

test('GET /config always shows the same key, even if two first calls come at the same time', async () => {
  const [one, other] = await Promise.all([call('GET /config'), call('GET /config')])
  expect(one).toEqual(other)
  expect(await call('GET /config')).toEqual(one)
})

test('GET /config of an installation below a path names that path', async () => {
  const below = v2Client(await createServer(prefixed(testContext(db))))
  expect(await below('GET /ci/config')).toEqual({
    status: 200,
    body: {
      config: {
        ...config,
        host: 'x.example.org/ci',
        streaming: { ...config.streaming, host: 'x.example.org', path: '/ci' },
        codehost: { ...config.codehost, api_url: 'https://x.example.org/ci/v3' },
      },
    },
  })
})

test('GET /config with an app names the API of the code host', async () => {
  const withApp = v2Client(await createServer(testContext(db, { codehost: memoryCodehost() })))
  const codehost = { ...config.codehost, api_url: 'https://api.github.com' }
  expect((await withApp('GET /config')).body).toEqual({ config: { ...config, codehost } })
})

test('without an app, the address that clients query for the owner of a token knows the tokens of this service', async () => {
  const { token } = await factories(db).user('octavia')
  const url = `${config.codehost.api_url}/user`.replace('https://ci.example.org', '')
  const answer = await server.inject({ url, headers: { authorization: `token ${token}` } })
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ login: 'octavia' })
})

test.each(['/', '/config'])(
  'GET %s is JSON without a charset, whatever type is accepted',
  async (url) => {
    const answer = await server.inject({ url, headers: { accept: 'image/png' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json')
  },
)
