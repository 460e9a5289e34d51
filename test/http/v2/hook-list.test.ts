import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { setLastBuild } from '../../support/last-build.ts'
import { idsOf, shownRepository } from './shown.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

/** A user who is the admin of three repositories, one of them deleted, and can read a fourth. */
async function anna() {
  const user = await make.user('anna')
  const web = await make.repository({ owner_name: 'octavia', name: 'web', private: true })
  const key = await make.repository({ owner_name: 'acme', name: 'key', active: false })
  const gone = await make.repository({ owner_name: 'acme', name: 'gone', deleted_at: noon })
  const read = await make.repository({ owner_name: 'acme', name: 'read' })
  await make.repository({ owner_name: 'acme', name: 'other' })
  for (const repository of [web, key, gone]) await make.permission(user, repository, 'admin')
  await make.permission(user, read, 'push')
  const started = { state: 'passed', started_at: noon, duration: 9 } as const
  await setLastBuild(db, await make.build({ repository: web, ...started }), noon)
  return user
}

const key = {
  ...shownRepository,
  id: 2,
  slug: 'acme/key',
  name: 'key',
  owner_name: 'acme',
  active: false,
  private: false,
  admin: true,
}
const web = {
  ...shownRepository,
  slug: 'octavia/web',
  name: 'web',
  owner_name: 'octavia',
  private: true,
  admin: true,
  last_build_id: 1,
  last_build_number: '1',
  last_build_state: 'passed',
  last_build_duration: 9,
  last_build_started_at: '2026-01-02T12:00:00Z',
  last_build_finished_at: '2026-01-02T12:00:00Z',
}

describe('GET /hooks', () => {
  test.each(['/hooks', '/hooks/', '/hooks?all=false'])(
    'lists the repositories that the caller administers: %s',
    async (path) => {
      const { token } = await anna()
      expect(await call(`GET ${path}`, { token })).toEqual({
        status: 200,
        body: { hooks: [key, web] },
      })
    },
  )

  test('with `all` also lists repositories on which the caller has another role', async () => {
    const { token } = await anna()
    const read = { ...key, id: 4, slug: 'acme/read', name: 'read', active: true, admin: false }
    expect(await call('GET /hooks?all=true', { token })).toEqual({
      status: 200,
      body: { hooks: [key, read, web] },
    })
  })

  test.each([
    ['order=none', [1, 2, 4]],
    ['id=2', [2]],
    ['id=3', []],
    ['id=5', []],
    ['id=x', []],
    ['id=9223372036854775808', []],
    ['owner_name=acme', [2, 4]],
    ['name=web', [1]],
    ['owner_name=acme&name=web', []],
    ['name=%00', []],
    ['owner_name=%00', []],
  ])('is filtered by %s', async (query, ids) => {
    const { token } = await anna()
    expect(idsOf((await call(`GET /hooks?all=true&${query}`, { token })).body, 'hooks')).toEqual(
      ids,
    )
  })

  test('lists nothing for users without a role, and for tokens without the scope `private`', async () => {
    const user = await anna()
    for (const token of [(await make.user()).token, await make.token(user, ['public'])]) {
      expect(await call('GET /hooks?all=true', { token })).toEqual({
        status: 200,
        body: { hooks: [] },
      })
    }
  })

  test('needs a login', async () => {
    await anna()
    expect(await call('GET /hooks')).toEqual({ status: 401, body: 'no access token supplied' })
    expect(await call('GET /hooks', { token: 'wrong' })).toEqual({
      status: 403,
      body: 'access denied',
    })
  })
})
