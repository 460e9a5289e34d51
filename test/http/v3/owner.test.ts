import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { makeScene, noOrganizationRights, octavia, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = v3Client(await createServer(ctx))
const closed = v3Client(await createServer({ ...ctx, site: { ...ctx.site, publicMode: false } }))

let scene: Scene
beforeAll(async () => {
  scene = await makeScene(db)
  const { acme } = scene
  await db
    .updateTable('organizations')
    .set({ codehost_id: 55, name: 'Acme Inc.', avatar_url: 'https://a.example/acme' })
    .execute()
  await make.installation({ owner_id: acme.id, owner_type: 'Organization' }, { codehost_id: 77 })
})

const minimal = (value: object) => ({ ...value, '@representation': 'minimal' })

const allowance = (id: number) => ({
  '@type': 'allowance',
  '@representation': 'minimal',
  '@permissions': { read: true, write: false },
  id,
})

/** What users and organizations have in common. */
const shared = {
  ro_mode: false,
  education: null,
  allow_migration: false,
  custom_keys: [],
  trial_allowed: false,
  account_env_vars: [],
}

const user = {
  ...octavia,
  ...shared,
  '@representation': 'standard',
  codehost_id: 1,
  vcs_id: '1',
  avatar_url: 'https://a.example/o',
  allowance: allowance(1),
  email: null,
  is_syncing: false,
  synced_at: null,
  recently_signed_up: false,
  secure_user_hash: null,
  confirmed_at: null,
  internal: false,
  last_activity_at: null,
  memberships: [],
}

const acme = {
  ...shared,
  '@type': 'organization',
  '@href': '/org/1',
  '@representation': 'standard',
  '@permissions': noOrganizationRights,
  id: 1,
  login: 'acme',
  name: 'Acme Inc.',
  vcs_type: 'CodehostOrganization',
  codehost_id: 55,
  vcs_id: '55',
  avatar_url: 'https://a.example/acme',
  allowance: allowance(1),
}

const missing = (type: string | null) => ({
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: `${type ?? 'resource'} not found (or insufficient access)`,
    resource_type: type,
  },
})

describe('GET /owner/{owner}', () => {
  test.each([
    '/owner/octavia',
    '/owner/OCTAVIA',
    '/owner/codehost/octavia',
    '/owner/GitHub/Octavia',
    '/owner/codehost_id/1',
    '/owner/codehost_id/0001',
  ])('is a user at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({ status: 200, body: user })
  })

  test.each(['/owner/acme', '/owner/Acme', '/owner/codehost/acme', '/owner/codehost_id/55'])(
    'is an organization at %s',
    async (path) => {
      expect(await call(`GET ${path}`)).toEqual({ status: 200, body: acme })
    },
  )

  test.each([
    '/owner/nobody',
    '/owner/local/octavia',
    '/owner/codehost/local',
    '/owner/gitlab/octavia',
    '/owner/__proto__/octavia',
    '/owner/codehost_id/999',
    '/owner/codehost_id/99999999999999999999',
    '/owner/codehost_id/x',
    '/owner/octavia%00',
    '/owner/%27%20or%201%3D1',
    '/owner/octavia%2Fhello',
  ])('is not found at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual(missing('owner'))
  })

  test.each(['/owner', '/owner/', '/owner/a/b/c', '/owner/octavia/'])(
    'is no path at all: %s',
    async (path) => {
      expect(await call(`GET ${path}`)).toEqual(missing(null))
    },
  )

  test('of this machine is found by its provider', async () => {
    expect(await call('GET /owner/local/local')).toMatchObject({
      status: 200,
      body: { login: 'local', vcs_type: 'LocalUser' },
    })
  })

  test('is the organization where a user has the same login, then who came last', async () => {
    await make.user('acme')
    expect(await call('GET /owner/acme')).toMatchObject({ body: { '@href': '/org/1' } })
    const [older, newer] = [await make.user('twin'), await make.user('Twin')]
    expect(await call('GET /owner/twin')).toMatchObject({ body: { id: newer.id } })
    expect(newer.id).toBeGreaterThan(older.id)
  })

  test('that is deleted is not found', async () => {
    const gone = await make.organization('gone')
    await db
      .updateTable('organizations')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
    expect(await call('GET /owner/gone')).toEqual(missing('owner'))
    expect(await call(`GET /org/${gone.id}`)).toEqual(missing('organization'))
  })

  test('that an anonymous caller must not see looks like one that is not there', async () => {
    for (const path of ['octavia', 'acme', 'nobody']) {
      expect(await closed(`GET /owner/${path}`)).toEqual(missing('owner'))
    }
    const { stranger, pusher } = scene.people
    expect(await closed('GET /owner/octavia', stranger)).toMatchObject({ status: 200 })
    expect(await closed('GET /owner/acme', stranger)).toEqual(missing('owner'))
    expect(await closed('GET /owner/acme', pusher)).toMatchObject({ status: 200 })
  })

  test('includes its repositories that the viewer can see, and its installation', async () => {
    const include = 'include=owner.repositories,owner.installation'
    expect(await call(`GET /owner/acme?${include}`)).toMatchObject({
      status: 200,
      body: {
        repositories: [],
        installation: {
          '@type': 'installation',
          '@href': '/installation/77',
          '@representation': 'standard',
          codehost_id: 77,
          owner: { '@href': '/org/1' },
        },
      },
    })
    expect(await call(`GET /owner/acme?${include}`, scene.people.reader)).toMatchObject({
      body: {
        repositories: [
          { '@representation': 'standard', slug: 'acme/web', owner: { '@href': '/org/1' } },
        ],
      },
    })
    expect(await call(`GET /owner/octavia?${include}`)).toMatchObject({
      body: { repositories: [{ slug: 'octavia/hello' }], installation: null },
    })
    expect(await call('GET /owner/octavia?include=user.colour')).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
  })
})

describe('GET /owner/{owner}/allowance', () => {
  const full = {
    ...allowance(1),
    '@representation': 'standard',
    subscription_type: 1,
    public_repos: true,
    private_repos: true,
    concurrency_limit: 5,
    user_usage: false,
    pending_user_licenses: false,
    payment_changes_block_credit: false,
    payment_changes_block_captcha: false,
    credit_card_block_duration: 0,
    captcha_block_duration: 0,
  }

  test.each([
    '/owner/octavia/allowance',
    '/owner/codehost/octavia/allowance',
    '/owner/codehost_id/55/allowance',
  ])('is the same for all, at %s', async (path) => {
    expect(await call(`GET ${path}`)).toEqual({ status: 200, body: full })
  })

  test('names the owner where there is none', async () => {
    expect(await call('GET /owner/nobody/allowance')).toEqual(missing('owner'))
    expect(await closed('GET /owner/octavia/allowance')).toEqual(missing('owner'))
  })

  test('is preferred to a user of that login at a provider', async () => {
    await make.user('allowance')
    await make.user('codehost')
    expect(await call('GET /owner/codehost/allowance')).toMatchObject({
      body: { '@type': 'allowance' },
    })
  })
})

describe('GET /user', () => {
  test('is the caller, with what only they see', async () => {
    const { id, token, codehost_id } = scene.people.pusher
    expect(await call('GET /user', { token })).toEqual({
      status: 200,
      body: {
        ...user,
        '@href': `/user/${id}`,
        '@permissions': { read: true, write: true, sync: true },
        id,
        login: 'pusher',
        name: 'Name of pusher',
        codehost_id,
        vcs_id: String(codehost_id),
        avatar_url: null,
        allowance: allowance(id),
        email: 'pusher@example.org',
        recently_signed_up: true,
        last_activity_at: '2026-01-02T12:00:00Z',
        memberships: [
          {
            '@type': 'membership',
            '@representation': 'minimal',
            '@permissions': { read: true, write: false },
            organization_id: 1,
            build_permission: null,
          },
        ],
      },
    })
  })

  test('includes their addresses, which no one else gets', async () => {
    const { id, token } = scene.people.pusher
    await db
      .insertInto('user_emails')
      .values([
        { user_id: id, email: 'pusher@example.org', verified: true },
        { user_id: id, email: 'another@example.org', verified: false },
      ])
      .execute()
    const include = 'include=user.emails,user.collaborator'
    expect(await call(`GET /user?${include}`, { token })).toMatchObject({
      body: { emails: ['pusher@example.org', 'another@example.org'], collaborator: false },
    })
    expect(await call(`GET /user/${id}?${include}`, scene.people.stranger)).toMatchObject({
      body: { email: null, emails: [], memberships: [] },
    })
  })

  test('needs a login', async () => {
    expect(await call('GET /user')).toMatchObject({
      status: 403,
      body: { error_type: 'login_required' },
    })
  })
})

describe('GET /user/{id} and GET /org/{id}', () => {
  test('are the same as by their logins', async () => {
    expect(await call('GET /user/1')).toEqual({ status: 200, body: user })
    expect(await call('GET /org/1')).toEqual({ status: 200, body: acme })
  })

  test.each(['0', '999', '99999999999999999999'])('have none with the id %s', async (id) => {
    expect(await call(`GET /user/${id}`)).toEqual(missing('user'))
    expect(await call(`GET /org/${id}`)).toEqual(missing('organization'))
    expect(await call(`GET /installation/${id}`)).toEqual(missing('installation'))
  })

  test.each(['x', '-1', '1%00', '1.0'])('are no paths with %s', async (id) => {
    expect(await call(`GET /user/${id}`)).toEqual(missing(null))
    expect(await call(`GET /org/${id}`)).toEqual(missing(null))
    expect(await call(`GET /installation/${id}`)).toEqual(missing(null))
  })

  test('show the members of an organization what they can do', async () => {
    expect(await call('GET /org/1', scene.people.admin)).toMatchObject({
      body: { '@permissions': { write: true, admin: true, settings_create: true } },
    })
  })
})

describe('GET /installation/{codehost_id}', () => {
  const { '@representation': _representation, ...short } = {
    '@type': 'organization',
    '@href': '/org/1',
    '@representation': 'minimal',
    '@permissions': noOrganizationRights,
    id: 1,
    login: 'acme',
    name: 'Acme Inc.',
    vcs_type: 'CodehostOrganization',
    ro_mode: false,
  }

  test('is shown with its owner', async () => {
    expect(await call('GET /installation/77')).toEqual({
      status: 200,
      body: {
        '@type': 'installation',
        '@href': '/installation/77',
        '@representation': 'standard',
        '@permissions': { read: true, write: false },
        id: 1,
        codehost_id: 77,
        owner: minimal(short),
      },
    })
    expect(await call('GET /installation/77?include=installation.owner')).toMatchObject({
      body: { owner: { '@representation': 'standard', codehost_id: 55 } },
    })
  })

  test('is hidden with it, and gone once it was removed', async () => {
    expect(await closed('GET /installation/77')).toEqual(missing('installation'))
    expect(await closed('GET /installation/77', scene.people.pusher)).toMatchObject({ status: 200 })
    const removed = await make.installation({ owner_id: 1, owner_type: 'User' })
    await db
      .updateTable('installations')
      .set({ removed_at: new Date() })
      .where('id', '=', removed.id)
      .execute()
    expect(await call(`GET /installation/${removed.codehost_id}`)).toEqual(missing('installation'))
  })
})
