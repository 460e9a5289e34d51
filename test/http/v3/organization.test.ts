import { beforeAll, describe, expect, test } from 'vitest'
import type { Organization, User } from '../../../src/domain/owner.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { accountCalls, acme, allowanceOf, makeAccounts } from './accounts.ts'
import { missing } from './build-scene.ts'
import { noOrganizationRights, type Scene } from './scene.ts'
import { wholePage } from './whole-page.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { call } = await accountCalls(db)

let scene: Scene
beforeAll(async () => {
  scene = await makeAccounts(db)
})

/** An organization of which only its login is known. */
const shortly = ({ id, login, codehost_id }: Organization) => ({
  ...acme,
  '@href': `/org/${id}`,
  id,
  login,
  name: null,
  codehost_id,
  vcs_id: String(codehost_id),
  avatar_url: null,
  allowance: allowanceOf(id),
})

describe('GET /org/{id}', () => {
  test('returns the same organization as by its login', async () => {
    expect(await call('GET /org/1')).toEqual({ status: 200, body: acme })
  })

  test('is also found if only its login is known', async () => {
    const quiet = await make.organization('quiet')
    expect(await call(`GET /org/${quiet.id}`)).toEqual({ status: 200, body: shortly(quiet) })
  })

  test.each(['0', '999', '99999999999999999999'])('is not found by the id %s', async (id) => {
    expect(await call(`GET /org/${id}`)).toEqual(missing('organization'))
  })

  test.each(['x', '-1', '1%00', '1.0'])('is an unknown path with %s', async (id) => {
    expect(await call(`GET /org/${id}`)).toEqual(missing(null))
  })

  test('shows members their permissions', async () => {
    expect(await call('GET /org/1', scene.people.admin)).toMatchObject({
      body: { '@permissions': { write: true, admin: true, settings_create: true } },
    })
  })
})

describe('GET /orgs', () => {
  let anna: User & { token: string }
  let beta: Organization
  let alpha: Organization

  const logins = async (query: string, who: { token?: string } = anna) => {
    const { body } = await call(`GET /orgs${query}`, who)
    return (body as { organizations: { login: string }[] }).organizations.map(({ login }) => login)
  }

  beforeAll(async () => {
    anna = await make.user('anna')
    beta = await make.organization('beta')
    alpha = await make.organization('Alpha')
    const gone = await make.organization('gone')
    await make.organization('elsewhere')
    await make.membership(anna, beta, 'admin')
    await make.membership(anna, alpha)
    await make.membership(anna, gone)
    await db
      .updateTable('organizations')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
  })

  test('lists the organizations of the caller', async () => {
    const [admin, member] = [
      { ...noOrganizationRights, write: true, sync: true, admin: true },
      noOrganizationRights,
    ].map((rights) => ({ ...rights, settings_create: true, settings_delete: true }))
    expect(await call('GET /orgs', anna)).toEqual({
      status: 200,
      body: {
        '@type': 'organizations',
        ...wholePage('/orgs', 2, 100),
        organizations: [
          { ...shortly(beta), '@permissions': admin },
          { ...shortly(alpha), '@permissions': member },
        ],
      },
    })
    expect(await call('GET /orgs?limit=1', anna)).toMatchObject({
      body: {
        '@href': '/orgs?limit=1',
        '@pagination': { limit: 1, offset: 0, count: 2, is_last: false },
      },
    })
    expect(await logins('', await make.user())).toEqual([])
  })

  test.each([
    ['', ['beta', 'Alpha']],
    ['?sort_by=login', ['Alpha', 'beta']],
    ['?sort_by=login:desc', ['beta', 'Alpha']],
    ['?sort_by=codehost_id:desc', ['Alpha', 'beta']],
    ['?sort_by=vcs_id,name,id', ['beta', 'Alpha']],
    ['?role=admin', ['beta']],
    ['?organization.role=member', ['Alpha']],
    ['?role=admin,member', ['beta', 'Alpha']],
    ['?role=owner', []],
    ['?role=%00', []],
    ['?offset=1', ['Alpha']],
  ])('%s', async (query, expected) => {
    expect(await logins(query)).toEqual(expected)
  })

  test('needs a login, and a token that can see private repositories', async () => {
    expect(await call('GET /orgs')).toMatchObject({ status: 403 })
    expect(await logins('', { token: await make.token(anna, ['public']) })).toEqual([])
  })
})
