import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  inToken,
  makeTokenScene,
  recordsOf,
  storedTokens,
  tokenCalls,
  tokenLacking,
  type TokenScene,
  wholeToken,
} from './token-calls.ts'
import { wholePage } from './whole-page.ts'

const db = await testDatabase()
const make = factories(db)
const { server, call, made, statuses } = tokenCalls(await createServer(testContext(db)))

let anna: TokenScene['anna']
let web: TokenScene['web']
let safe: TokenScene['safe']
beforeEach(async () => {
  ;({ anna, web, safe } = await makeTokenScene(make))
})

describe('a token of a repository', () => {
  const of = (scopes: string[]) =>
    made(`POST /repo/${web.id}/tokens`, anna.token, { name: 'deploy', scopes })

  test('is made by an admin of the repository, and belongs to no person', async () => {
    const { id } = await of(['read', 'builds'])
    const [status, body] = await call(`GET /repo/acme%2Fweb/tokens`, anna.token)
    expect([status, body]).toEqual([
      200,
      {
        '@type': 'tokens',
        ...wholePage('/repo/acme%2Fweb/tokens', 1),
        tokens: [
          {
            ...wholeToken(anna, id),
            name: 'deploy',
            scopes: ['read', 'builds'],
            repository: inToken(web),
          },
        ],
      },
    ])
    expect(await recordsOf(db)).toEqual([
      {
        actor: 'anna',
        action: 'make_token',
        subject: `repository ${web.id}`,
        changed: { token: id, name: 'deploy', scopes: ['read', 'builds'] },
      },
    ])
  })

  test('acts as a user that no other user can find', async () => {
    const { token } = await of(['read'])
    const [, bot] = await call('GET /user', token)
    const { id, login } = bot as { id: number; login: string }
    expect(login).toMatch(/^token-\d+\[bot\]$/)
    const paths = [`GET /user/${id}`, `GET /owner/${encodeURIComponent(login)}`]
    for (const path of paths) {
      for (const caller of [anna.token, undefined]) {
        expect(await call(path, caller)).toMatchObject([404, { error_type: 'not_found' }])
      }
    }
    expect(await call(`GET /user/${id}`, token)).toMatchObject([200, { login }])
  })

  test('gives access to its repository, within its scopes', async () => {
    const { token } = await of(['read', 'settings'])
    expect(
      await statuses(
        token,
        `GET /repo/${web.id} as 3`,
        `GET /repos/${web.id}`,
        `PATCH /repos/${web.id}/settings?settings[build_pushes]=false`,
        `GET /repo/${safe.id} as 3`,
        `GET /repos/${safe.id}`,
        `PATCH /repos/${safe.id}/settings`,
        `POST /repos/${web.id}/key`,
        'GET /repos/octavia',
      ),
    ).toEqual([200, 200, 200, 404, 404, 404, 404, 200])
    expect((await recordsOf(db)).at(-1)).toMatchObject({
      actor: expect.stringMatching(/^token-\d+\[bot\]$/) as string,
      action: 'change_settings',
      subject: `repository ${web.id}`,
    })
    const reader = await of(['read'])
    expect(
      await statuses(
        reader.token,
        `GET /repos/${web.id}/settings`,
        `PATCH /repos/${web.id}/settings`,
      ),
    ).toEqual([200, 403])
    const [, shown] = await call(`GET /repo/${web.id}`, reader.token)
    expect(shown).toMatchObject({ '@permissions': { read: true, write: false, admin: false } })
  })

  test('outlives the role of its maker, and can be revoked by any admin', async () => {
    const { id, token } = await of(['read'])
    await db.deleteFrom('permissions').where('user_id', '=', anna.id).execute()
    expect(await statuses(token, `GET /repo/${web.id} as 3`)).toEqual([200])
    expect(await call(`DELETE /token/${id}`, anna.token)).toMatchObject([404, {}])
    const admin = await make.user('another')
    await make.permission(admin, web, 'admin')
    expect(await call(`DELETE /token/${id}`, admin.token)).toEqual([204, ''])
    expect(await statuses(token, `GET /repo/${web.id} as 3`)).toEqual([403])
    expect((await recordsOf(db)).at(-1)).toMatchObject({
      actor: 'another',
      action: 'revoke_token',
      subject: `repository ${web.id}`,
    })
  })

  test('can neither administer the installation nor make more tokens', async () => {
    expect(
      await call(`POST /repo/${web.id}/tokens`, anna.token, { name: 'a', scopes: ['admin'] }),
    ).toMatchObject([422, {}])
    const { token } = await of(['read', 'builds', 'settings'])
    expect(await call('POST /tokens', token, { name: 'more' })).toEqual(tokenLacking)
    expect(await call(`GET /repo/${web.id}/tokens`, token)).toEqual(tokenLacking)
    const exchanged = await server('POST /auth/codehost', {}, { codehost_token: token })
    expect(exchanged.statusCode).toBe(403)
  })

  test.each(['', '/tokens'])('is hidden with its repository: /repo/{id}%s', async (rest) => {
    const stranger = await make.user('stranger')
    const missing = [404, { resource_type: 'repository' }]
    expect(await call(`GET /repo/${web.id}${rest}`, stranger.token)).toMatchObject(missing)
    expect(await call(`GET /repo/4711${rest}`, stranger.token)).toMatchObject(missing)
  })

  test('is refused to users without admin rights', async () => {
    const pusher = await make.user('pusher')
    await make.permission(pusher, web, 'push')
    const reader = await make.user('reader')
    await make.permission(reader, web, 'pull')
    for (const method of ['GET', 'POST']) {
      expect(await call(`${method} /repo/${web.id}/tokens?name=a`, pusher.token)).toMatchObject([
        403,
        { error_type: 'insufficient_access', permission: 'admin', resource_type: 'repository' },
      ])
      expect(await call(`${method} /repo/${web.id}/tokens?name=a`, reader.token)).toMatchObject([
        403,
        { error_type: 'insufficient_access' },
      ])
      expect(await call(`${method} /repo/${web.id}/tokens?name=a`)).toMatchObject([
        403,
        { error_type: 'login_required' },
      ])
    }
    expect(await storedTokens(db)).toEqual([])
  })
})
