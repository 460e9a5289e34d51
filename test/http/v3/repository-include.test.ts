import { beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import {
  build,
  hello,
  main,
  makeScene,
  noOrganizationRights,
  octavia,
  type Scene,
} from './scene.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

let scene: Scene
beforeAll(async () => {
  scene = await makeScene(db)
})

describe('an include', () => {
  const including = (include: string, repository = 1, login?: keyof Scene['people']) =>
    call(
      `GET /repo/${repository}?include=${include}`,
      login ? { token: scene.people[login].token } : {},
    )

  test('shows an owner in full, but never other users’ email addresses', async () => {
    expect(await including('repository.owner')).toEqual({
      status: 200,
      body: {
        ...hello,
        owner: {
          ...octavia,
          '@representation': 'standard',
          codehost_id: 1,
          vcs_id: '1',
          avatar_url: 'https://a.example/o',
          education: null,
          allow_migration: false,
          allowance: {
            '@type': 'allowance',
            '@representation': 'minimal',
            id: 1,
            '@permissions': { read: true, write: false },
          },
          custom_keys: [],
          trial_allowed: false,
          account_env_vars: [],
          email: null,
          is_syncing: false,
          synced_at: null,
          recently_signed_up: false,
          secure_user_hash: null,
          confirmed_at: null,
          internal: false,
          last_activity_at: null,
          memberships: [],
        },
      },
    })
  })

  test('shows callers their own email address and organizations', async () => {
    expect(await including('repository.owner', 4, 'pusher')).toMatchObject({
      body: {
        owner: {
          '@permissions': { read: true, write: true, sync: true },
          email: 'pusher@example.org',
          recently_signed_up: true,
          memberships: [
            {
              '@type': 'membership',
              '@representation': 'minimal',
              '@permissions': { read: true, write: false },
              organization_id: scene.acme.id,
              build_permission: null,
            },
          ],
        },
      },
    })
  })

  test('hides the memberships of other users', async () => {
    expect(await including('repository.owner', 1, 'pusher')).toMatchObject({
      body: { owner: { id: 1, memberships: [] } },
    })
  })

  test('shows an organization in full', async () => {
    const { body } = await including('repository.owner', 2, 'reader')
    expect((body as { owner: object }).owner).toEqual({
      '@type': 'organization',
      '@href': `/org/${scene.acme.id}`,
      '@representation': 'standard',
      '@permissions': noOrganizationRights,
      id: scene.acme.id,
      login: 'acme',
      name: null,
      vcs_type: 'CodehostOrganization',
      ro_mode: false,
      codehost_id: scene.acme.codehost_id,
      vcs_id: String(scene.acme.codehost_id),
      avatar_url: null,
      education: null,
      allow_migration: false,
      allowance: {
        '@type': 'allowance',
        '@representation': 'minimal',
        id: scene.acme.id,
        '@permissions': { read: true, write: false },
      },
      custom_keys: [],
      trial_allowed: false,
      account_env_vars: [],
    })
  })

  test('shows the allowance of an owner', async () => {
    expect(await including('repository.owner,owner.allowance')).toMatchObject({
      body: {
        owner: {
          allowance: {
            '@representation': 'standard',
            id: 1,
            subscription_type: 1,
            public_repos: true,
            private_repos: true,
            concurrency_limit: 5,
          },
        },
      },
    })
  })

  test('of `owner` attributes adds one attribute to an owner that stays minimal', async () => {
    expect(await including('owner.allowance')).toMatchObject({
      body: { owner: { '@representation': 'minimal', allowance: { id: 1 } } },
    })
  })

  test('shows a branch in full, within which the repository is only its path', async () => {
    expect(await including('repository.default_branch')).toEqual({
      status: 200,
      body: {
        ...hello,
        default_branch: {
          ...main,
          '@representation': 'standard',
          repository: { '@href': '/repo/1' },
          default_branch: true,
          exists_on_codehost: true,
          last_build: null,
        },
      },
    })
  })

  test('shows the build that started last', async () => {
    expect(await including('repository.last_started_build', 2, 'reader')).toMatchObject({
      body: {
        last_started_build: {
          ...build,
          '@representation': 'standard',
          repository: { '@href': '/repo/2' },
        },
      },
    })
    expect(await including('repository.last_started_build')).toEqual({
      status: 200,
      body: { ...hello, last_started_build: null },
    })
  })

  test('hides a build made in private from strangers', async () => {
    const include = 'repository.last_started_build,repository.default_branch'
    expect(await including(include, 3, 'stranger')).toMatchObject({
      body: { last_started_build: null, default_branch: { last_build: null } },
    })
    expect(await including(include, 3, 'reader')).toMatchObject({
      body: { last_started_build: { id: 2 }, default_branch: { last_build: { id: 2 } } },
    })
  })

  test('by a deprecated name is accepted, with a warning', async () => {
    const { body } = await including('repository.current_build')
    expect(body).toEqual({
      '@warnings': [
        {
          '@type': 'warning',
          message: 'repository.current_build is deprecated, use last_started_build',
          warning_type: 'deprecated_parameter',
          parameter: 'current_build',
        },
      ],
      ...hello,
      current_build: null,
    })
    expect(Object.keys(body as object)[0]).toBe('@warnings')
  })

  test.each([
    ['next_build_number', { next_build_number: 1 }],
    ['build_count', { build_count: 0 }],
    ['allow_migration', { allow_migration: false }],
    // These are always null.
    ['private_key', { private_key: null }],
    ['token', { token: null }],
    ['email_subscribed', { email_subscribed: false }],
    ['@permissions', {}],
    // What is there anyway.
    ['name', {}],
    ['slug', {}],
  ])('of repository.%s', async (name, shown) => {
    expect(await including(`repository.${name}`)).toEqual({
      status: 200,
      body: { ...hello, ...shown },
    })
  })

  test.each([
    'include=repository.owner,repository.default_branch',
    'include[]=repository.owner&include[]=repository.default_branch',
    'include=repository.owner&include=repository.default_branch',
    'include=%20repository.owner%20,,repository.default_branch,',
  ])('can be combined with others: %s', async (query) => {
    expect(await call(`GET /repo/1?${query}`)).toMatchObject({
      status: 200,
      body: {
        owner: { '@representation': 'standard' },
        default_branch: { '@representation': 'standard' },
      },
    })
  })

  test.each(['build.commit', 'job.anything', 'nothing.at_all', '__proto__.x', 'constructor.name'])(
    'of a type that does not occur is ignored: %s',
    async (include) => {
      expect(await including(include)).toEqual({ status: 200, body: hello })
    },
  )

  test.each(['repository', 'owner', 'a.b.c', 'repository.owner.login', '.x', 'x.', 'a b.c', 'é.x'])(
    'that is not of the form type.attribute is refused: %s',
    async (include) => {
      const refused = {
        status: 400,
        body: {
          '@type': 'error',
          error_type: 'wrong_params',
          error_message: `"${include}" is not of the form type.attribute`,
        },
      }
      expect(await including(encodeURIComponent(include))).toEqual(refused)
      // Before it is looked whether there is such a repository.
      expect(await including(encodeURIComponent(include), 99)).toEqual(refused)
    },
  )

  test.each([
    'repository.nothing',
    'repository.owner_id',
    'repository.installation_id',
    'repository.role',
    'repository.__proto__',
    'repository.constructor',
    'branch.id',
    'user.created_at',
    'owner.first_logged_in_at',
  ])('of an attribute that no representation shows is refused: %s', async (include) => {
    expect(await including(include)).toEqual({
      status: 400,
      body: {
        '@type': 'error',
        error_type: 'wrong_params',
        error_message: `"${include}" cannot be included`,
      },
    })
  })

  test('goes as deep as its names, and never in circles', async () => {
    const chain = [
      ...['repository.default_branch', 'branch.last_build', 'build.repository'],
      ...['branch.repository', 'repository.last_started_build', 'repository.owner'],
    ]
    const { body } = await including(chain.join(','), 2, 'reader')
    expect(body).toMatchObject({
      last_started_build: { repository: { '@href': '/repo/2' } },
      default_branch: { repository: { '@href': '/repo/2' } },
    })
  })
})
