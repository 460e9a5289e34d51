// An attacker with a limited token tries to exceed its limits, or to create a token without them.
import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/owner.ts'
import type { Repository } from '../../src/domain/repository.ts'
import { createServer } from '../../src/http/server.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const server = await createServer(testContext(db))

let anna: User & { token: string }
let web: Repository
let open: Repository
beforeEach(async () => {
  anna = await make.user('anna')
  web = await make.repository({ name: 'web', private: true })
  open = await make.repository({ name: 'open' })
  await make.permission(anna, web, 'admin')
})

async function call(asked: string, token: string, payload?: object) {
  const [method, url] = asked.split(' ') as ['POST', string]
  const headers = { 'service-api-version': '3', authorization: `token ${token}` }
  const answer = await server.inject({ method, url, headers, ...(payload ? { payload } : {}) })
  return [answer.statusCode, answer.body === '' ? '' : answer.json<unknown>()] as const
}

async function made(payload: object, path = '/tokens'): Promise<string> {
  const [status, body] = await call(`POST ${path}`, anna.token, payload)
  expect(status).toBe(201)
  return (body as { token: string }).token
}

describe("a user's own settings are out of reach for tokens limited to some repositories", () => {
  const paths = ['/repo/{open}/star', '/repo/{open}/unstar', '/repo/{open}/email_subscription']
  const limits = ['of its user', 'that it belongs to'] as const

  test.each(limits.flatMap((limit) => paths.map((path) => [limit, path] as const)))(
    'for a token limited to repositories %s: POST %s',
    async (limit, path) => {
      const scopes = ['read', 'builds', 'settings']
      const token =
        limit === 'of its user'
          ? await made({ name: 'a', scopes, repositories: [open.id] })
          : await made({ name: 'a', scopes }, `/repo/${web.id}/tokens`)
      expect(await call(`POST ${path.replace('{open}', String(open.id))}`, token)).toEqual([
        403,
        {
          '@type': 'error',
          error_type: 'insufficient_access',
          error_message:
            'operation requires a token that is not limited to some repositories: use another token ' +
            'of yours',
          permission: 'write',
          resource_type: null,
        },
      ])
      const [, shown] = await call(`GET /repo/${open.id}`, token)
      expect(shown).toMatchObject({ '@permissions': { star: false, unstar: false } })
    },
  )
})

describe('a token without the scope "read"', () => {
  test('shows the record it changed, and no linked records', async () => {
    const token = await made({ name: 'a', scopes: ['settings'] })
    const included = `/repo/${web.id}/activate?include=repository.current_build,build.jobs`
    expect(await call(`POST ${included}`, token)).toMatchObject([403, { permission: 'read' }])
    const before = await db.selectFrom('repositories').select('active').execute()
    expect(await call(`POST /repo/${web.id}/deactivate`, token)).toMatchObject([
      200,
      { id: web.id },
    ])
    expect(before).toHaveLength(2)
  })
})

describe('a new token', () => {
  test.each([
    [{ name: 'a', repository: [1] }, 'repository'],
    [{ token: { name: 'a', repository: [1] } }, 'token.repository'],
    [{ token: { name: 'a' }, expiry: '2030-01-01' }, 'expiry'],
    [{ name: 'a', 'token.scope': ['read'] }, 'token.scope'],
  ])('is not created with fewer limits than %j seems to request', async (payload, name) => {
    expect(await call('POST /tokens', anna.token, payload)).toMatchObject([
      400,
      {
        error_type: 'wrong_params',
        error_message: expect.stringContaining(` ${name}: `) as string,
      },
    ])
    expect(await call(`POST /repo/${web.id}/tokens`, anna.token, payload)).toMatchObject([400, {}])
  })
})
