import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { findPublicKey } from '../../../src/store/secrets/key-pairs.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { hello, knowing, main, makeScene, pushing, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const call = v3Client(await createServer(testContext(db)))

let people: Scene['people']
beforeAll(async () => {
  ;({ people } = await makeScene(db))
  for (const repository_id of [1, 3]) {
    await make.permission(people.pusher, { id: repository_id }, 'push')
  }
})
beforeEach(async () => {
  await db.updateTable('repositories').set({ active: true }).execute()
  await db.deleteFrom('stars').execute()
  await db.deleteFrom('audit_records').execute()
})

const as = (who: keyof typeof people) => ({ token: people[who].token })
const records = async () =>
  (await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).map(
    ({ actor, action, subject_type, subject_id }) =>
      `${actor} ${action} ${subject_type} ${subject_id}`,
  )
const stars = () => db.selectFrom('stars').selectAll().execute()

const minimal = (id: number, slug: string, permissions: object) => ({
  '@type': 'repository',
  '@href': `/repo/${id}`,
  '@representation': 'minimal',
  '@permissions': permissions,
  id,
  name: slug.split('/')[1],
  slug,
})

/** As the pusher sees repository 1. */
const pushed = {
  ...hello,
  '@permissions': pushing,
  shared: true,
  default_branch: { ...main, '@permissions': { read: true, write: true } },
}

const missing = {
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: 'repository not found (or insufficient access)',
    resource_type: 'repository',
  },
}

const notInstalled = {
  '@type': 'warning',
  message:
    'the app has no access to octavia/hello, so pushes there are not built: add it to ' +
    'the installation of the app at https://github.com/settings/installations',
  warning_type: 'missing_installation',
}

describe('activating a repository', () => {
  test('shows the active repository, and warns that the app has no access to it', async () => {
    await db.updateTable('repositories').set({ active: false }).execute()
    const { status, body } = await call('POST /repo/1/activate', as('pusher'))
    expect([status, body]).toEqual([200, { '@warnings': [notInstalled], ...pushed, active: true }])
    expect(await call('GET /repo/1', as('pusher'))).toEqual({ status: 200, body: pushed })
    expect(await records()).toEqual(['pusher activate repository 1'])
  })

  test('makes the missing key pair', async () => {
    await db.deleteFrom('key_pairs').execute()
    expect(await findPublicKey(db, 1)).toBeUndefined()
    await call('POST /repo/1/activate', as('pusher'))
    await expect.poll(() => findPublicKey(db, 1)).toBeDefined()
  })

  test('changes nothing if the repository is already active', async () => {
    expect(await call('POST /repo/1/activate', as('pusher'))).toMatchObject({
      status: 200,
      body: { active: true },
    })
    expect(await records()).toEqual([])
  })

  test('does not warn of a missing installation if the app has access, or if there is no app', async () => {
    for (const id of [2, 3]) {
      const { status, body } = await call(`POST /repo/${id}/activate`, as('pusher'))
      expect([status, body]).toEqual([200, expect.not.objectContaining({ '@warnings': [] })])
      expect(body).not.toHaveProperty('@warnings')
    }
  })

  test('warns with the installation page of the organization', async () => {
    await db
      .updateTable('repositories')
      .set({ managed_by_installation: false })
      .where('id', '=', 2)
      .execute()
    const { body } = await call('POST /repo/2/activate?foo=1', as('pusher'))
    expect(body).toMatchObject({
      '@warnings': [
        {
          message: expect.stringContaining(
            'https://github.com/organizations/acme/settings/installations',
          ) as string,
        },
        { warning_type: 'ignored_parameter', parameter: 'foo' },
      ],
    })
  })
})

test('deactivating shows the inactive repository, also the second time', async () => {
  for (const _time of [1, 2]) {
    expect(await call('POST /repo/octavia%2Fhello/deactivate', as('pusher'))).toEqual({
      status: 200,
      body: { ...pushed, active: false },
    })
  }
  expect(await records()).toEqual(['pusher deactivate repository 1'])
})

describe.each(['activate', 'deactivate'])('calling %s', (action) => {
  test('needs the right to push', async () => {
    const refused = (repository: object) => ({
      status: 403,
      body: {
        '@type': 'error',
        error_type: 'insufficient_access',
        error_message: 'operation requires write access to repository',
        permission: 'write',
        resource_type: 'repository',
        repository,
      },
    })
    expect(await call(`POST /repo/1/${action}`, as('stranger'))).toEqual(
      refused(minimal(1, 'octavia/hello', knowing)),
    )
    expect(await call(`POST /repo/2/${action}`, as('reader'))).toEqual(
      refused(minimal(2, 'acme/web', knowing)),
    )
    expect(await records()).toEqual([])
  })
})

describe('starring a repository', () => {
  test('shows the star only to the user who gave it, also the second time', async () => {
    const { id: user_id } = people.stranger
    for (const _time of [1, 2]) {
      expect(await call('POST /repo/1/star', as('stranger'))).toEqual({
        status: 200,
        body: { ...hello, '@permissions': knowing, starred: true },
      })
      expect(await stars()).toEqual([{ user_id, repository_id: 1 }])
    }
    expect(await call('GET /repo/1', as('reader'))).toMatchObject({ body: { starred: false } })
    expect(await call('GET /repo/1', as('stranger'))).toMatchObject({ body: { starred: true } })
    expect(await records()).toEqual(['stranger star repository 1'])
  })

  test('is undone, also the second time', async () => {
    await call('POST /repo/1/star', as('stranger'))
    for (const _time of [1, 2]) {
      expect(await call('POST /repo/1/unstar', as('stranger'))).toEqual({
        status: 200,
        body: { ...hello, '@permissions': knowing, starred: false },
      })
    }
    expect(await stars()).toEqual([])
    expect(await records()).toEqual(['stranger star repository 1', 'stranger unstar repository 1'])
  })

  test('is possible for users who can read a private repository', async () => {
    expect(await call('POST /repo/2/star', as('reader'))).toMatchObject({
      status: 200,
      body: { id: 2, starred: true, private: true },
    })
  })

  test('with a token without permissions is shown to that token', async () => {
    const token = await make.token(people.reader, ['public'])
    const get = () => call('GET /repo/1', { token })
    expect(await get()).toMatchObject({ body: { starred: false } })
    expect(await call('POST /repo/1/star', { token })).toMatchObject({ body: { starred: true } })
    expect(await get()).toMatchObject({ body: { starred: true } })
    // Of this one it can know nothing.
    expect(await call('POST /repo/2/star', { token })).toEqual(missing)
  })
})

describe.each(['activate', 'deactivate', 'star', 'unstar'])('the call to %s', (action) => {
  test('needs a login before anything is looked up', async () => {
    for (const id of [1, 2, 9]) {
      expect(await call(`POST /repo/${id}/${action}`)).toEqual({
        status: 403,
        body: { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
      })
    }
  })

  test('treats a hidden record like a missing one', async () => {
    const paths = ['/repo/2', '/repo/9', '/repo/acme%2Fweb', '/repo/a%00%2Fb', '/repo/9e99%2Fx']
    for (const path of [...paths, `/repo/${'9'.repeat(30)}`, '/repo/gitlab/octavia%2Fhello']) {
      expect(await call(`POST ${path}/${action}`, as('stranger'))).toEqual(missing)
    }
    expect(await records()).toEqual([])
  })

  test('refuses a wrong token, and a token without the scope for settings', async () => {
    expect(await call(`POST /repo/1/${action}`, { token: 'wrong' })).toMatchObject({
      status: 403,
      body: { error_type: 'wrong_credentials' },
    })
    const token = await make.token(people.pusher, ['public', 'private', 'read'])
    expect(await call(`POST /repo/1/${action}`, { token })).toMatchObject({
      status: 403,
      body: { error_type: 'insufficient_access', permission: 'settings' },
    })
  })

  test('changes nothing if an include is invalid', async () => {
    for (const include of ['repository.colour', 'repository', 'owner.colour']) {
      expect(await call(`POST /repo/1/${action}?include=${include}`, as('pusher'))).toMatchObject({
        status: 400,
        body: { error_type: 'wrong_params' },
      })
    }
    expect(await records()).toEqual([])
  })

  test('shows included attributes', async () => {
    const include = 'repository.owner,repository.email_subscribed'
    expect(await call(`POST /repo/1/${action}?include=${include}`, as('pusher'))).toMatchObject({
      status: 200,
      body: { owner: { '@representation': 'standard' }, email_subscribed: true },
    })
  })
})
