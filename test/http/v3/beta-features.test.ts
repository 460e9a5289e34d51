import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { makeScene, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const call = v3Client(await createServer(testContext(db)))

let people: Scene['people']
let path: string
beforeAll(async () => {
  ;({ people } = await makeScene(db))
  path = `/user/${people.reader.id}/beta_feature`
  await db
    .insertInto('beta_features')
    .values([
      { name: 'comic sans', description: 'Other letters' },
      { name: 'dark', description: 'No light', enabled: true, feedback_url: 'https://a.example' },
    ])
    .execute()
})
beforeEach(async () => {
  await db.deleteFrom('user_beta_features').execute()
  await db.deleteFrom('audit_records').execute()
})

const as = (who: keyof typeof people) => ({ token: people[who].token })

const shown = (enabled: boolean, given: object = {}) => ({
  '@type': 'beta_feature',
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  id: 1,
  name: 'comic sans',
  description: 'Other letters',
  enabled,
  feedback_url: null,
  ...given,
})
const dark = (enabled: boolean) =>
  shown(enabled, {
    id: 2,
    name: 'dark',
    description: 'No light',
    feedback_url: 'https://a.example',
  })

const missing = (resource_type: string) => ({
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: `${resource_type} not found (or insufficient access)`,
    resource_type,
  },
})
const login = {
  status: 403,
  body: { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
}

describe('the beta features of the caller', () => {
  test('are all features, each with the caller’s choice', async () => {
    const list = (enabled: boolean) => ({
      status: 200,
      body: {
        '@type': 'beta_features',
        '@href': `${path}s`,
        '@representation': 'standard',
        beta_features: [shown(false), dark(enabled)],
      },
    })
    expect(await call(`GET ${path}s`, as('reader'))).toEqual(list(true))
    await call(`PATCH ${path}/2?beta_feature.enabled=false`, as('reader'))
    expect(await call(`GET ${path}s`, as('reader'))).toEqual(list(false))
  })

  test('are hidden from all other users', async () => {
    for (const who of ['stranger', 'admin'] as const) {
      expect(await call(`GET ${path}s`, as(who))).toEqual(missing('user'))
    }
    expect(await call('GET /user/99/beta_features', as('reader'))).toEqual(missing('user'))
    expect(await call(`GET /user/${'9'.repeat(25)}/beta_features`, as('reader'))).toEqual(
      missing('user'),
    )
    expect(await call(`GET ${path}s`)).toEqual(login)
  })
})

describe('a beta feature', () => {
  test('is turned on and off, and reset to its default', async () => {
    expect(await call(`PATCH ${path}/1?enabled=true`, as('reader'))).toEqual({
      status: 200,
      body: shown(true),
    })
    expect(await call(`PATCH ${path}/1?beta_feature[enabled]=0`, as('reader'))).toEqual({
      status: 200,
      body: shown(false),
    })
    await call(`PATCH ${path}/1?enabled=yes`, as('reader'))
    expect(await call(`DELETE ${path}/1`, as('reader'))).toEqual({ status: 200, body: shown(true) })
    expect(await call(`DELETE ${path}/1`, as('reader'))).toEqual(missing('beta_feature'))
    const records = await db.selectFrom('audit_records').selectAll().orderBy('id').execute()
    expect(records.map(({ details }) => details.changed)).toEqual([
      { 'comic sans': true },
      { 'comic sans': false },
      { 'comic sans': true },
      { 'comic sans': null },
    ])
  })

  test.each(['PATCH', 'DELETE'])(
    'is missing if it is unknown or belongs to another user: %s',
    async (method) => {
      await call(`PATCH ${path}/1?enabled=true`, as('reader'))
      const asked = (of: string) => call(`${method} ${of}?enabled=true`, as('reader'))
      for (const user of [people.pusher.id, 99]) {
        expect(await asked(`/user/${user}/beta_feature/1`)).toEqual(missing('user'))
      }
      expect(await asked(`${path}/9`)).toEqual(missing('beta_feature'))
      expect(await asked(`${path}/${'9'.repeat(25)}`)).toEqual(missing('beta_feature'))
      expect(await call(`${method} ${path}/1`)).toEqual(login)
    },
  )

  test('cannot be set to an invalid value', async () => {
    expect(await call(`PATCH ${path}/1?enabled=maybe`, as('reader'))).toMatchObject({ status: 422 })
    expect(await call(`PATCH ${path}/1`, as('reader'))).toEqual({
      status: 400,
      body: {
        '@type': 'error',
        error_type: 'wrong_params',
        error_message: 'beta_feature.enabled must be given',
      },
    })
    expect(await db.selectFrom('user_beta_features').selectAll().execute()).toEqual([])
  })
})
