import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defaultSettings } from '../../../src/domain/settings.ts'
import { createServer } from '../../../src/http/server.ts'
import { settingsOf } from '../../../src/store/repositories/settings.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { ownDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'
import { makeScene, type Scene } from './scene.ts'

const { db } = await ownDatabase()
const ctx = testContext(db)
const server = await createServer(ctx)
const call = v3Client(server)
const callWith = caller(server)

let people: Scene['people']
beforeAll(async () => {
  ;({ people } = await makeScene(db))
  await factories(db).permission(people.pusher, { id: 1 }, 'push')
})
beforeEach(async () => {
  await db.deleteFrom('repository_settings').execute()
  await db.deleteFrom('audit_records').execute()
  ctx.enqueued.length = 0
})

const as = (who: keyof typeof people) => ({ token: people[who].token })

const shown = (
  name: string,
  value: unknown,
  { write = false, id = 1, representation = 'standard' } = {},
) => ({
  '@type': 'setting',
  '@href': `/repo/${id}/setting/${name}`,
  '@representation': representation,
  '@permissions': { read: true, write },
  name,
  value,
})

const missing = (type: string | null) => ({
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: `${type ?? 'resource'} not found (or insufficient access)`,
    resource_type: type,
  },
})

/** Each name with its default, in their order. */
const defaults = [
  ['builds_only_with_service_yml', true],
  ['build_pushes', true],
  ['build_pull_requests', true],
  ['maximum_number_of_builds', 0],
  ['auto_cancel_pushes', false],
  ['auto_cancel_pull_requests', false],
  ['share_encrypted_env_with_forks', false],
  ['share_ssh_keys_with_forks', false],
  ['job_log_time_based_limit', false],
  ['job_log_access_based_limit', false],
  ['allow_config_imports', false],
  ['job_log_access_older_than_days', 365],
  ['timeout_hard_limit', null],
  ['timeout_log_silence', null],
  ['api_builds_rate_limit', null],
  ['log_days', null],
  ['build_days', null],
  ['builds_kept', null],
] as const

describe('GET /repo/{repository}/setting/{setting}', () => {
  test.each(defaults)('%s is %j by default, and anyone can read it', async (name, value) => {
    expect(await call(`GET /repo/1/setting/${name}`)).toEqual({
      status: 200,
      body: shown(name, value),
    })
  })

  test('of a private repository is shown to users with a role', async () => {
    const path = '/repo/2/setting/build_pushes'
    expect(await call(`GET ${path}`)).toEqual(missing('repository'))
    expect(await call(`GET ${path}`, as('stranger'))).toEqual(missing('repository'))
    const body = shown('build_pushes', true, { id: 2 })
    expect(await call(`GET ${path}`, as('reader'))).toEqual({ status: 200, body })
    expect(await call(`GET ${path}`, as('pusher'))).toEqual({
      status: 200,
      body: { ...body, '@permissions': { read: true, write: true } },
    })
  })

  test.each(['colour', 'constructor', '__proto__', 'toString', 'values', 'build_pushes%00', '%20'])(
    'is not found by the name %s',
    async (name) => {
      expect(await call(`GET /repo/1/setting/${name}`)).toEqual(missing('user_setting'))
      // The repository comes first.
      expect(await call(`GET /repo/9/setting/${name}`)).toEqual(missing('repository'))
    },
  )
})

describe('GET /repo/{repository}/settings', () => {
  test('lists all settings in their order, without pages', async () => {
    expect(defaults.map(([name]) => name)).toEqual(Object.keys(defaultSettings))
    for (const path of ['/repo/1/settings', '/repo/codehost/octavia%2Fhello/settings']) {
      expect(await call(`GET ${path}`)).toEqual({
        status: 200,
        body: {
          '@type': 'settings',
          '@href': path,
          '@representation': 'standard',
          settings: defaults.map(([name, value]) => shown(name, value)),
        },
      })
    }
  })

  test('shows changed values, and the viewer’s permissions', async () => {
    await call('PATCH /repo/1/setting/maximum_number_of_builds?value=3', as('pusher'))
    const { body } = await call('GET /repo/1/settings', as('pusher'))
    expect((body as { settings: object[] }).settings).toEqual(
      defaults.map(([name, value]) =>
        shown(name, name === 'maximum_number_of_builds' ? 3 : value, { write: true }),
      ),
    )
  })

  test('looks missing for a hidden repository', async () => {
    expect(await call('GET /repo/2/settings')).toEqual(missing('repository'))
    expect(await call('GET /repo/9/settings')).toEqual(missing('repository'))
  })
})

describe('PATCH /repo/{repository}/setting/{setting}', () => {
  const path = '/repo/1/setting/build_pushes'
  const records = () => db.selectFrom('audit_records').selectAll().orderBy('id').execute()
  const send = async (body: string, type = 'application/json', at = path) => {
    const headers = {
      'service-api-version': '3',
      'content-type': type,
      authorization: `token ${people.pusher.token}`,
    }
    const answer = await callWith(`PATCH ${at}`, headers, body)
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }

  test.each([
    ['dotted', '{"setting.value": false}'],
    ['nested', '{"setting": {"value": false}}'],
    ['plain', '{"value": false}'],
    ['beside its type', '{"@type": "setting", "value": false}'],
  ])('changes the setting, with the value as %s', async (_how, body) => {
    expect(await send(body)).toEqual({
      status: 200,
      body: shown('build_pushes', false, { write: true }),
    })
    expect(await settingsOf(db, 1)).toEqual({ ...defaultSettings, build_pushes: false })
  })

  test('leaves one audit record', async () => {
    await send('{"setting.value": false}')
    await send('{"setting.value": false}')
    expect(await records()).toMatchObject([
      {
        actor: 'pusher',
        action: 'change_settings',
        subject_type: 'repository',
        subject_id: 1,
        details: { changed: { build_pushes: false } },
      },
    ])
  })

  test.each([
    ...[true, 1, '1', 'true', 'TRUE', 'yes', 'on'].map((given) => [given, true]),
    ...[false, 0, '0', 'false', 'no', 'Off'].map((given) => [given, false]),
  ])('reads %j as %j', async (given, value) => {
    expect(await send(JSON.stringify({ value: given }))).toMatchObject({
      status: 200,
      body: { value },
    })
  })

  const numberPath = '/repo/1/setting/maximum_number_of_builds'

  test.each([
    [5, 5],
    ['5', 5],
    [0, 0],
    ['007', 7],
  ])('reads %j as the number %d, and schedules waiting jobs', async (given, value) => {
    await send('{"value": 1}', undefined, numberPath)
    const answer = await send(JSON.stringify({ value: given }), undefined, numberPath)
    expect(answer).toEqual({
      status: 200,
      body: shown('maximum_number_of_builds', value, { write: true }),
    })
    expect(ctx.enqueued.at(-1)).toMatchObject({ name: 'jobs.schedule' })
  })

  const invalid = (code: string) => ({
    status: 422,
    body: {
      '@type': 'error',
      error_type: 'unprocessable_entity',
      error_message: `validation failed: value ${code}`,
    },
  })

  test.each([null, 2, 'maybe', '', [], {}, [true]])('refuses %j for a boolean', async (given) => {
    const body = JSON.stringify({ 'setting.value': given })
    expect(await send(body)).toEqual(invalid('invalid'))
    expect(await records()).toEqual([])
  })

  test.each([1.5, 'many', '', true, [1], 2 ** 31, '9'.repeat(30)])(
    'refuses %j for a number',
    async (given) => {
      const body = JSON.stringify({ 'setting.value': given })
      expect(await send(body, undefined, numberPath)).toEqual(invalid('not a number'))
      expect(await records()).toEqual([])
    },
  )

  test.each([
    ['maximum_number_of_builds', null, 'must be an integer from 0 to 2147483647'],
    ['maximum_number_of_builds', '-1', 'must be an integer from 0 to 2147483647'],
    ['job_log_access_older_than_days', 29, 'must be an integer from 30 to 730'],
    ['job_log_access_older_than_days', '731', 'must be an integer from 30 to 730'],
    ['job_log_access_older_than_days', null, 'must be an integer from 30 to 730'],
    ['api_builds_rate_limit', 201, 'must be an integer from 0 to 200, or null'],
    ['api_builds_rate_limit', -1, 'must be an integer from 0 to 200, or null'],
    ['log_days', 36_501, 'must be an integer from 1 to 36500, or null'],
    ['builds_kept', -1, 'must be an integer from 1 to 1000000000, or null'],
  ])('of %s refuses %j, which is out of range', async (name, value, code) => {
    const answer = await send(JSON.stringify({ value }), undefined, `/repo/1/setting/${name}`)
    expect(answer).toEqual(invalid(code))
    expect(await records()).toEqual([])
  })

  test.each([
    ['job_log_access_older_than_days', '30', 30],
    ['job_log_access_older_than_days', 730, 730],
    ['api_builds_rate_limit', 200, 200],
    ['log_days', 30, 30],
    ['build_days', 0, null],
    ['builds_kept', 100, 100],
    ['api_builds_rate_limit', null, null],
  ])('of %s accepts %j', async (name, given, value) => {
    const at = `/repo/1/setting/${name}`
    const answer = await send(JSON.stringify({ 'setting.value': given }), undefined, at)
    expect(answer).toEqual({ status: 200, body: shown(name, value, { write: true }) })
  })

  const wrong = (error_message: unknown) => ({
    status: 400,
    body: { '@type': 'error', error_type: 'wrong_params', error_message },
  })

  test.each([
    '{}',
    '',
    '{"setting": {}}',
    '{"setting": true}',
    '{"@type": "repository", "value": true}',
  ])('needs a value: %s', async (body) => {
    expect(await send(body)).toEqual(wrong('setting.value must be given'))
  })

  test.each(['{"value": ', '[1]', '"x"'])(
    'refuses a body that is not an object: %s',
    async (body) => {
      expect(await send(body)).toEqual(wrong(expect.any(String)))
      expect(await records()).toEqual([])
    },
  )

  test('changes nothing if an include is invalid', async () => {
    expect(await send('{"value": false, "include": "setting.colour"}')).toEqual(
      wrong('"setting.colour" cannot be included'),
    )
    expect(await settingsOf(db, 1)).toEqual(defaultSettings)
  })

  test('needs a login before anything is looked up', async () => {
    const login = {
      status: 403,
      body: { '@type': 'error', error_type: 'login_required', error_message: 'login required' },
    }
    for (const at of [path, '/repo/9/setting/x', '/repo/2/setting/build_pushes?include=a']) {
      expect(await call(`PATCH ${at}`)).toEqual(login)
    }
  })

  test('needs the right to push', async () => {
    const refused = (id: number) => ({
      status: 403,
      body: {
        '@type': 'error',
        error_type: 'insufficient_access',
        error_message: 'operation requires write access to user_setting',
        permission: 'write',
        resource_type: 'user_setting',
        user_setting: shown('build_pushes', true, { id, representation: 'minimal' }),
      },
    })
    expect(await call(`PATCH ${path}?value=false`, as('stranger'))).toEqual(refused(1))
    expect(await call('PATCH /repo/2/setting/build_pushes?value=false', as('reader'))).toEqual(
      refused(2),
    )
    // Also without a value, and where it cannot be one.
    expect(await call(`PATCH ${path}`, as('stranger'))).toEqual(refused(1))
    expect(await call(`PATCH ${path}?value=x`, as('stranger'))).toEqual(refused(1))
    expect(await records()).toEqual([])
  })

  test('looks missing for a hidden record', async () => {
    for (const at of ['/repo/2/setting/build_pushes', '/repo/9/setting/build_pushes']) {
      expect(await call(`PATCH ${at}?value=x`, as('stranger'))).toEqual(missing('repository'))
    }
    expect(await call('PATCH /repo/1/setting/colour?value=x', as('pusher'))).toEqual(
      missing('user_setting'),
    )
  })

  test('needs a token with the scope for settings', async () => {
    const token = await factories(db).token(people.pusher, ['public', 'private', 'builds', 'read'])
    expect(await call(`PATCH ${path}?value=false`, { token })).toMatchObject({
      status: 403,
      body: { error_type: 'insufficient_access', permission: 'settings' },
    })
  })
})
