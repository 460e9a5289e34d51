import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v2Client(await createServer(ctx))
const closed = v2Client(await createServer({ ...ctx, site: { ...ctx.site, publicMode: false } }))

/**
 * Alice owns two repositories, one of them hidden from her. She is the admin of `acme`, has pushed to
 * `beta`, administrates a repository of `corp`, and of none that `dead` still has. She does not belong to `else`.
 */
async function alice() {
  const user = await make.user('alice')
  const own = { owner_id: user.id, owner_name: 'alice' }
  await make.repository({ ...own, name: 'open' })
  await make.repository({ ...own, name: 'hidden', private: true })
  await make.repository({ ...own, name: 'gone', deleted_at: noon })
  const organizations = []
  for (const login of ['acme', 'beta', 'corp', 'dead', 'else']) {
    organizations.push(await make.organization(login))
  }
  const [acme, beta, corp, dead, other] = organizations
  if (!acme || !beta || !corp || !dead || !other) throw new Error('organizations are missing')
  const of = ({ id, login }: { id: number; login: string }) =>
    ({ owner_id: id, owner_type: 'Organization', owner_name: login }) as const
  await make.membership(user, acme, 'admin')
  for (const each of [beta, corp, dead]) await make.membership(user, each)
  await make.permission(user, await make.repository({ ...of(beta), private: true }), 'push')
  await make.permission(user, await make.repository({ ...of(corp), private: true }), 'admin')
  await make.repository({ ...of(corp), name: 'open' })
  await make.permission(user, await make.repository({ ...of(dead), deleted_at: noon }), 'admin')
  await make.permission(user, await make.repository({ ...of(other), private: true }), 'admin')
  await db
    .updateTable('organizations')
    .set({ name: 'Acme Inc.', avatar_url: 'https://a.example/acme' })
    .where('login', '=', 'acme')
    .execute()
  return user
}

const account = (id: number, login: string, repos_count: number) => ({
  id,
  login,
  name: null as string | null,
  type: 'organization',
  repos_count,
  avatar_url: null as string | null,
})
const own = { ...account(1, 'alice', 1), type: 'user', name: 'Name of alice' }
const acme = { ...account(1, 'acme', 0), name: 'Acme Inc.', avatar_url: 'https://a.example/acme' }

describe('GET /accounts', () => {
  test.each(['/accounts', '/accounts/', '/accounts?all=false', '/accounts?all=0'])(
    'lists the caller and the organizations that the caller administers: %s',
    async (path) => {
      const { token } = await alice()
      expect(await call(`GET ${path}`, { token })).toEqual({
        status: 200,
        body: { accounts: [own, acme, account(3, 'corp', 2)] },
      })
    },
  )

  test('lists every membership with `all`', async () => {
    const { token } = await alice()
    expect(await call('GET /accounts/?all=true', { token })).toEqual({
      status: 200,
      body: {
        accounts: [own, acme, account(2, 'beta', 1), account(3, 'corp', 2), account(4, 'dead', 0)],
      },
    })
  })

  test('leaves out organizations that were deleted', async () => {
    const { token } = await alice()
    await db.updateTable('organizations').set({ deleted_at: noon }).execute()
    expect((await call('GET /accounts?all=true', { token })).body).toEqual({ accounts: [own] })
  })

  test('counts the repositories that the caller can see', async () => {
    const user = await alice()
    const restricted = await make.token(user, ['public'])
    expect((await call('GET /accounts?all=1', { token: restricted })).body).toMatchObject({
      accounts: [1, 0, 0, 1, 0].map((repos_count) => ({ repos_count })),
    })
    expect((await closed('GET /accounts?all=1', { token: user.token })).body).toMatchObject({
      accounts: [0, 0, 1, 1, 0].map((repos_count) => ({ repos_count })),
    })
  })

  test('lists only the caller if there are no organizations', async () => {
    const { token } = await make.user('bob')
    expect((await call('GET /accounts', { token })).body).toEqual({
      accounts: [{ ...own, login: 'bob', name: 'Name of bob', repos_count: 0 }],
    })
  })

  test('needs a login', async () => {
    expect(await call('GET /accounts')).toEqual({ status: 401, body: 'no access token supplied' })
    expect(await call('GET /accounts', { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
  })
})
