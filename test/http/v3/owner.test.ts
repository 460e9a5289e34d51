import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { accountCalls, acme, makeAccounts, user } from './accounts.ts'
import { missing } from './build-scene.ts'
import type { Scene } from './scene.ts'

const { db } = await ownDatabase()
const make = factories(db)
const { call, closed } = await accountCalls(db)

let scene: Scene
beforeAll(async () => {
  scene = await makeAccounts(db)
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
    'is an unknown path: %s',
    async (path) => {
      expect(await call(`GET ${path}`)).toEqual(missing(null))
    },
  )

  test('finds a local owner by the provider, and by an id that no one has at the code host', async () => {
    const { body } = await call('GET /owner/local/local')
    expect(body).toMatchObject({ login: 'local', vcs_type: 'LocalUser' })
    const { id, codehost_id } = body as { id: number; codehost_id: number }
    const path = `GET /owner/codehost_id/${codehost_id}`
    expect(await call(path)).toMatchObject({ status: 200, body: { id } })
    const namesake = await make.user('namesake')
    await db.updateTable('users').set({ codehost_id }).where('id', '=', namesake.id).execute()
    expect(await call(path)).toMatchObject({ status: 200, body: { id: namesake.id } })
    await db.deleteFrom('users').where('id', '=', namesake.id).execute()
  })

  test('prefers an organization to a user of the same login, and the newest of several users', async () => {
    await make.user('acme')
    expect(await call('GET /owner/acme')).toMatchObject({ body: { '@href': '/org/1' } })
    const [older, newer] = [await make.user('twin'), await make.user('Twin')]
    expect(await call('GET /owner/twin')).toMatchObject({ body: { id: newer.id } })
    expect(newer.id).toBeGreaterThan(older.id)
  })

  test('does not find a deleted owner', async () => {
    const gone = await make.organization('gone')
    await db
      .updateTable('organizations')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute()
    expect(await call('GET /owner/gone')).toEqual(missing('owner'))
    expect(await call(`GET /org/${gone.id}`)).toEqual(missing('organization'))
  })

  test('hides an owner from anonymous callers as if it were missing', async () => {
    for (const path of ['octavia', 'acme', 'nobody']) {
      expect(await closed(`GET /owner/${path}`)).toEqual(missing('owner'))
    }
    const { stranger, pusher } = scene.people
    expect(await closed('GET /owner/octavia', stranger)).toMatchObject({ status: 200 })
    expect(await closed('GET /owner/acme', stranger)).toEqual(missing('owner'))
    expect(await closed('GET /owner/acme', pusher)).toMatchObject({ status: 200 })
  })

  test('includes the repositories that the viewer can see, and the installation', async () => {
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
