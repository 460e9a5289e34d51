import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { makeScene, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const server = await createServer(testContext(db))
const call = v3Client(server)

let people: Scene['people']
let acme: Scene['acme']
beforeAll(async () => {
  ;({ people, acme } = await makeScene(db))
})
beforeEach(async () => {
  await db.updateTable('users').set({ build_emails: true }).execute()
  await db.deleteFrom('audit_records').execute()
})

const as = (who: keyof typeof people) => ({ token: people[who].token })

const shown = (name: string, value: unknown, prefix = '') => ({
  '@type': 'preference',
  '@href': `${prefix}/preference/${name}`,
  '@representation': 'standard',
  '@permissions': { read: true, write: true },
  name,
  value,
})

const login = {
  status: 403,
  body: { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
}
const missing = (resource_type: string) => ({
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: `${resource_type} not found (or insufficient access)`,
    resource_type,
  },
})
const invalid = {
  status: 422,
  body: {
    '@type': 'error',
    error_type: 'unprocessable_entity',
    error_message: 'validation failed: value invalid',
  },
}

const constants = [
  ['consume_oss_credits', true],
  ['private_insights_visibility', 'private'],
] as const

describe('the preferences of the caller', () => {
  test('are listed, without pages', async () => {
    expect(await call('GET /preferences', as('reader'))).toEqual({
      status: 200,
      body: {
        '@type': 'preferences',
        '@href': '/preferences',
        '@representation': 'standard',
        preferences: [
          shown('build_emails', true),
          ...constants.map(([name, value]) => shown(name, value)),
        ],
      },
    })
  })

  test('are shown one by one', async () => {
    for (const [name, value] of [['build_emails', true], ...constants] as const) {
      expect(await call(`GET /preference/${name}`, as('reader'))).toEqual({
        status: 200,
        body: shown(name, value),
      })
    }
  })

  test.each(['colour', 'constructor', '__proto__', 'build_emails%00'])(
    'are not found by the name %s',
    async (name) => {
      for (const method of ['GET', 'PATCH']) {
        expect(await call(`${method} /preference/${name}`, as('reader'))).toEqual(
          missing('preference'),
        )
      }
    },
  )

  test('need a login', async () => {
    for (const asked of ['GET /preferences', 'GET /preference/x', 'PATCH /preference/x']) {
      expect(await call(asked)).toEqual(login)
    }
  })
})

describe('changing a preference of the caller', () => {
  const records = () => db.selectFrom('audit_records').selectAll().orderBy('id').execute()
  const send = async (body: string, name = 'build_emails') => {
    const headers = {
      'service-api-version': '3',
      'content-type': 'application/json',
      authorization: `token ${people.reader.token}`,
    }
    const answer = await caller(server)(`PATCH /preference/${name}`, headers, body)
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }

  test.each([
    '{"preference.value": false}',
    '{"preference": {"value": false}}',
    '{"value": "0"}',
    '{"@type": "preference", "value": "no"}',
  ])('is possible with %s, and recorded once', async (body) => {
    for (const _time of [1, 2]) {
      expect(await send(body)).toEqual({ status: 200, body: shown('build_emails', false) })
    }
    expect(await call('GET /preference/build_emails', as('reader'))).toMatchObject({
      body: { value: false },
    })
    expect(await call('GET /preference/build_emails', as('pusher'))).toMatchObject({
      body: { value: true },
    })
    expect(await records()).toMatchObject([
      { actor: 'reader', subject_type: 'user', details: { changed: { build_emails: false } } },
    ])
  })

  test('is refused if the value is invalid', async () => {
    for (const value of [null, 2, 'maybe', '', [], {}]) {
      expect(await send(JSON.stringify({ value }))).toEqual(invalid)
    }
    expect(await send('{}')).toEqual({
      status: 400,
      body: {
        '@type': 'error',
        error_type: 'wrong_params',
        error_message: 'preference.value must be given',
      },
    })
    expect(await records()).toEqual([])
  })

  test.each(constants)('keeps %s at %j, its only value', async (name, value) => {
    expect(await send(JSON.stringify({ value }), name)).toEqual({
      status: 200,
      body: shown(name, value),
    })
    for (const other of [false, 'public', null]) {
      expect(await send(JSON.stringify({ value: other }), name)).toEqual(invalid)
    }
  })
})

describe('the preferences of an organization', () => {
  test('are for its admins', async () => {
    const prefix = `/org/${acme.id}`
    const preferences = constants.map(([name, value]) => shown(name, value, prefix))
    expect(await call(`GET ${prefix}/preferences`, as('admin'))).toEqual({
      status: 200,
      body: {
        '@type': 'preferences',
        '@href': `${prefix}/preferences`,
        '@representation': 'standard',
        preferences,
      },
    })
    const one = `${prefix}/preference/consume_oss_credits`
    expect(await call(`GET ${one}`, as('admin'))).toEqual({ status: 200, body: preferences[0] })
    expect(await call(`PATCH ${one}?value=x`, as('admin'))).toEqual(invalid)
    for (const who of ['pusher', 'reader', 'stranger'] as const) {
      expect(await call(`GET ${prefix}/preferences`, as(who))).toEqual(missing('preferences'))
      expect(await call(`GET ${one}`, as(who))).toEqual(missing('preference'))
      expect(await call(`PATCH ${one}?value=true`, as(who))).toEqual(missing('preference'))
    }
    expect(await call(`GET ${prefix}/preference/build_emails`, as('admin'))).toEqual(
      missing('preference'),
    )
  })

  test('need a login, and are missing for an unknown organization', async () => {
    for (const id of ['99', '9'.repeat(25)]) {
      expect(await call(`GET /org/${id}/preferences`, as('admin'))).toEqual(missing('organization'))
      expect(await call(`PATCH /org/${id}/preference/x`, as('admin'))).toEqual(
        missing('organization'),
      )
      expect(await call(`GET /org/${id}/preferences`)).toEqual(login)
    }
  })
})
