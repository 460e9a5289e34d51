import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { inToken, makeTokenScene, tokenCalls, type TokenScene, wholeToken } from './token-calls.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const { server, call, made, statuses } = tokenCalls(await createServer(ctx))

let anna: TokenScene['anna']
let web: TokenScene['web']
let safe: TokenScene['safe']
beforeEach(async () => {
  ctx.enqueued.length = 0
  ;({ anna, web, safe } = await makeTokenScene(make))
})

describe('a token limited to some repositories', () => {
  const all = ['read', 'builds', 'settings', 'admin']
  const limited = (scopes = all, repositories = [web.id]) =>
    made('POST /tokens', anna.token, { name: 'ci', scopes, repositories })

  test('neither shows nor changes other repositories, in both generations', async () => {
    const { token } = await limited()
    const build = await make.build({ repository: safe })
    await make.job({ build })
    expect(
      await statuses(
        token,
        `GET /repo/${web.id} as 3`,
        `GET /repo/acme%2Fweb/branches as 3`,
        `GET /repos/${web.id}/settings`,
        `PATCH /repos/${web.id}/settings?settings[build_pushes]=false`,
      ),
    ).toEqual([200, 200, 200, 200])
    expect(
      await statuses(
        token,
        `GET /repo/${safe.id} as 3`,
        'GET /repo/acme%2Fsafe as 3',
        `GET /repo/${safe.id}/branches as 3`,
        `GET /repos/${safe.id}`,
        'GET /repos/acme/safe',
        `GET /repos/${safe.id}/settings`,
        `PATCH /repos/${safe.id}/settings?settings[build_pushes]=false`,
        `PUT /hooks/${safe.id}?hook[active]=false`,
        `GET /settings/env_vars?repository_id=${safe.id}`,
        `GET /builds/${build.id}`,
        `POST /builds/${build.id}/cancel`,
        'GET /jobs/1/log',
        'GET /acme/safe',
      ),
    ).toEqual([404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404])
  })

  test('lists only its repositories', async () => {
    const { token } = await limited()
    await make.build({ repository: safe })
    const of = async (path: string) =>
      (await server(`GET ${path}`, { authorization: `token ${token}` })).json<
        Record<string, { id: number }[]>
      >()
    expect((await of('/repos'))['repos']).toMatchObject([{ id: web.id }])
    expect((await of('/hooks?all=true'))['hooks']).toMatchObject([{ id: web.id }])
    expect((await of(`/builds?repository_id=${safe.id}`))['builds']).toEqual([])
    expect(await of('/users/permissions')).toMatchObject({ permissions: [web.id] })
    const [, owner] = await call('GET /owner/acme?include=owner.repositories', token)
    expect(owner).toMatchObject({ repositories: [{ slug: 'acme/web' }] })
  })

  test('shows other public repositories as everyone sees them', async () => {
    const open = await make.repository({ name: 'open' })
    await make.permission(anna, open, 'admin')
    const secret = await make.build({ repository: open, private: true })
    const { token } = await limited()
    expect(
      await statuses(
        token,
        `GET /repo/${open.id} as 3`,
        `GET /builds/${secret.id}`,
        `PATCH /repos/${open.id}/settings`,
      ),
    ).toEqual([200, 404, 404])
    const [, shown] = await call(`GET /repo/${open.id}`, token)
    expect(shown).toMatchObject({ '@permissions': { read: true, write: false, admin: false } })
  })

  test('has no more rights than its user', async () => {
    const { token } = await limited()
    const rights = async () => {
      const [status, body] = await call(`GET /repo/${web.id}`, token)
      return [status, (body as { '@permissions'?: { admin: boolean } })['@permissions']?.admin]
    }
    expect(await rights()).toEqual([200, true])
    await make.permission(anna, web, 'pull')
    expect(await rights()).toEqual([200, false])
    await db.deleteFrom('permissions').where('user_id', '=', anna.id).execute()
    expect(await rights()).toEqual([404, undefined])
    await make.permission(anna, web, 'push')
    expect(await rights()).toEqual([200, false])
  })

  test('cannot change its user', async () => {
    const { token } = await limited()
    expect(
      await statuses(
        token,
        'PUT /users/1?user[locale]=de',
        'POST /users/sync',
        `POST /user/${anna.id}/sync as 3`,
        'GET /user as 3',
        'GET /users',
      ),
    ).toEqual([403, 403, 403, 200, 200])
    const exchanged = await server('POST /auth/codehost', {}, { codehost_token: token })
    expect(exchanged.statusCode).toBe(403)
    expect(ctx.enqueued).toEqual([])
  })

  test('shows no email address of its user', async () => {
    const { token } = await limited()
    await db
      .insertInto('user_emails')
      .values({ user_id: anna.id, email: 'anna@example.org', verified: true })
      .execute()
    const emails = { email: 'anna@example.org', emails: ['anna@example.org'] }
    const none = { email: null, emails: [] }
    for (const path of ['/user', `/user/${anna.id}`]) {
      const asked = `GET ${path}?include=user.emails`
      expect(await call(asked, anna.token)).toMatchObject([200, emails])
      expect(await call(asked, token)).toMatchObject([200, none])
    }
  })

  test('is limited by its scopes', async () => {
    const { token } = await limited(['read'])
    expect(
      await statuses(token, `GET /repo/${web.id} as 3`, `PATCH /repos/${web.id}/settings`),
    ).toEqual([200, 403])
  })

  test('is shown with its repositories, and does not share an ETag with other tokens', async () => {
    const { id, token } = await limited(all, [safe.id, web.id])
    expect(await call(`GET /token/${id}`, anna.token)).toEqual([
      200,
      { ...wholeToken(anna, id), name: 'ci', scopes: all, repositories: [web, safe].map(inToken) },
    ])
    const tag = async (each: string) =>
      (await server(`GET /repos/${web.id}`, { authorization: `token ${each}` })).headers['etag']
    expect(await tag(token)).toBe(await tag(token))
    expect(await tag(token)).not.toBe(await tag(anna.token))
  })
})
