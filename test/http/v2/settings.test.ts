import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import {
  audited,
  clientOf,
  fileMissing,
  invalid,
  makeRoles,
  nobody,
  noLogin,
  type Role,
  wrongToken,
} from './roles.ts'

const db = await testDatabase()
const ctx = testContext(db)
const server = await createServer(ctx)

let call: ReturnType<typeof clientOf>
beforeEach(async () => {
  ctx.enqueued.length = 0
  call = clientOf(server, await makeRoles(db))
})

const settings = {
  builds_only_with_service_yml: true,
  build_pushes: true,
  build_pull_requests: true,
  maximum_number_of_builds: 0,
  auto_cancel_pushes: false,
  auto_cancel_pull_requests: false,
  share_encrypted_env_with_forks: false,
  share_ssh_keys_with_forks: false,
  job_log_time_based_limit: false,
  job_log_access_based_limit: false,
  allow_config_imports: false,
  job_log_access_older_than_days: 365,
  timeout_hard_limit: null,
  timeout_log_silence: null,
  api_builds_rate_limit: null,
  log_days: null,
  build_days: null,
  builds_kept: null,
}
const all = [200, { settings }] as const

const paths = [
  '/repos/1/settings',
  '/repos/1/settings/',
  '/repos/1/settings.json',
  '/repos/acme/web/settings',
  '/repos/acme%2Fweb/settings',
]

describe('GET settings', () => {
  test.each(paths)('is found at %s', async (path) => {
    expect(await call('pusher', `GET ${path}`)).toEqual(all)
  })

  test.each<[Role, readonly unknown[], readonly unknown[]]>([
    ['admin', all, all],
    ['pusher', all, all],
    ['reader', all, all],
    ['other', all, fileMissing],
    ['no one', noLogin, noLogin],
    ['wrong', wrongToken, wrongToken],
  ])(
    'responds to %s according to the role, for a public and a private repository',
    async (who, open, closed) => {
      expect(await call(who, 'GET /repos/1/settings')).toEqual(open)
      expect(await call(who, 'GET /repos/2/settings')).toEqual(closed)
      expect(await call(who, 'GET /repos/acme/safe/settings')).toEqual(closed)
    },
  )
})

describe('PATCH settings', () => {
  const patch = (body: string | object | undefined, who: Role = 'pusher') =>
    call(who, 'PATCH /repos/1/settings', body)

  test.each(paths)('changes only the setting in the body, at %s', async (path) => {
    const changed = [200, { settings: { ...settings, build_pushes: false } }]
    const body = { settings: { build_pushes: false } }
    expect(await call('pusher', `PATCH ${path}`, body)).toEqual(changed)
    expect(await call('reader', 'GET /repos/1/settings')).toEqual(changed)
    expect(await call('reader', 'GET /repos/2/settings')).toEqual(all)
  })

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded'])(
    'reads JSON labelled as %s',
    async (type) => {
      const body = '{"settings": {"auto_cancel_pushes": true}}'
      expect(await call('pusher', 'PATCH /repos/1/settings', body, type)).toEqual([
        200,
        { settings: { ...settings, auto_cancel_pushes: true } },
      ])
    },
  )

  test('changes all settings that the official client knows', async () => {
    const sent = {
      builds_only_with_service_yml: 'no',
      build_pushes: 0,
      build_pull_requests: 'F',
      maximum_number_of_builds: '3',
      auto_cancel_pushes: 'on',
      auto_cancel_pull_requests: 1,
    }
    const stored = {
      builds_only_with_service_yml: false,
      build_pushes: false,
      build_pull_requests: false,
      maximum_number_of_builds: 3,
      auto_cancel_pushes: true,
      auto_cancel_pull_requests: true,
    }
    expect(await patch({ settings: sent })).toEqual([200, { settings: { ...settings, ...stored } }])
    expect(await patch({ settings: { maximum_number_of_builds: null } })).toEqual([
      200,
      { settings: { ...settings, ...stored, maximum_number_of_builds: 0 } },
    ])
  })

  test.each([
    undefined,
    '',
    {},
    { settings: {} },
    { settings: { nothing: 1, env_vars: [], build_pushes: true } },
    { build_pushes: false },
  ])('%j changes nothing', async (body) => {
    expect(await patch(body)).toEqual(all)
    expect(await audited(db)).toEqual([])
  })

  test.each([3, 'text', [], null, true])('refuses settings that are %j', async (given) => {
    expect(await patch({ settings: given })).toEqual([
      422,
      { error: 'Settings must be passed with a request' },
    ])
  })

  test.each(['{', 'settings[build_pushes]=false', '[]', '"a"'])(
    'refuses %s, which is invalid JSON',
    async (body) => {
      expect(await patch(body)).toEqual([400, 'Invalid JSON in request body'])
    },
  )

  test('names all values of wrong types, and saves nothing', async () => {
    const sent = {
      build_pushes: 'maybe',
      maximum_number_of_builds: 'many',
      auto_cancel_pushes: true,
      build_pull_requests: null,
    }
    expect(await patch({ settings: sent })).toEqual(
      invalid(
        { field: 'build_pushes', code: 'invalid' },
        { field: 'build_pull_requests', code: 'invalid' },
        { field: 'maximum_number_of_builds', code: 'not_a_number' },
      ),
    )
    expect(await call('pusher', 'GET /repos/1/settings')).toEqual(all)
    expect(await audited(db)).toEqual([])
  })

  test.each([1.5, 2 ** 31, -(2 ** 40), [], {}, true, '1e3', ''])(
    'refuses %j as a number of builds',
    async (maximum_number_of_builds) => {
      expect(await patch({ settings: { maximum_number_of_builds } })).toEqual(
        invalid({ field: 'maximum_number_of_builds', code: 'not_a_number' }),
      )
    },
  )

  test('refuses a negative number of builds, as in V3', async () => {
    const field = 'maximum_number_of_builds'
    expect(await patch({ settings: { [field]: -1 } })).toEqual(
      invalid({ field, code: `must be an integer from 0 to ${2 ** 31 - 1}, or null` }),
    )
  })

  test('names all numbers that are out of range', async () => {
    const sent = { job_log_access_older_than_days: 29, api_builds_rate_limit: 201 }
    expect(await patch({ settings: sent })).toEqual(
      invalid(
        { field: 'job_log_access_older_than_days', code: 'must be an integer from 30 to 730' },
        { field: 'api_builds_rate_limit', code: 'must be an integer from 0 to 200, or null' },
      ),
    )
    const kept = { job_log_access_older_than_days: '30', api_builds_rate_limit: 200 }
    expect(await patch({ settings: kept })).toMatchObject([
      200,
      { settings: { job_log_access_older_than_days: 30, api_builds_rate_limit: 200 } },
    ])
    expect(await patch({ settings: { api_builds_rate_limit: null } })).toMatchObject([
      200,
      { settings: { api_builds_rate_limit: null } },
    ])
  })

  const refused = [404, { file: 'not found' }] as const
  test.each<[Role, readonly unknown[], readonly unknown[]]>([
    ['admin', all, all],
    ['pusher', all, all],
    ['reader', refused, refused],
    ['other', refused, refused],
    ['no one', noLogin, noLogin],
    ['wrong', wrongToken, wrongToken],
  ])(
    'responds to %s according to the role, for a public and a private repository',
    async (who, open, closed) => {
      expect(await patch(undefined, who)).toEqual(open)
      expect(await call(who, 'PATCH /repos/2/settings')).toEqual(closed)
      expect(await call(who, 'PATCH /repos/acme/safe/settings')).toEqual(closed)
    },
  )

  test('needs a token with the scope for settings', async () => {
    const make = factories(db)
    const user = await make.user('builder')
    const repository = await make.repository({ name: 'own' })
    await make.permission(user, repository, 'push')
    const token = await make.token(user, ['public', 'private', 'builds'])
    const limited = clientOf(server, { ...nobody, pusher: token })
    expect(await limited('pusher', `PATCH /repos/${repository.id}/settings`)).toEqual([
      403,
      'insufficient access',
    ])
  })

  test('leaves a record with the changed settings', async () => {
    await patch({ settings: { build_pushes: false, build_pull_requests: true } })
    expect(await audited(db)).toEqual([
      {
        actor: 'pusher',
        action: 'change_settings',
        subject: 'repository 1',
        changed: { build_pushes: false, before: { build_pushes: true } },
        address: '127.0.0.1',
        byToken: true,
      },
    ])
    expect(ctx.enqueued).toEqual([])
  })

  test('records each change of concurrent calls with the value that it replaced', async () => {
    await Promise.all(
      [1, 2, 3, 3, 3].map((maximum_number_of_builds) =>
        patch({ settings: { maximum_number_of_builds } }),
      ),
    )
    const changes = (await audited(db)).map(
      ({ changed }) => changed as { maximum_number_of_builds: number; before: object },
    )
    let before: unknown = { maximum_number_of_builds: 0 }
    for (const { maximum_number_of_builds: now, ...found } of changes) {
      expect(found.before).toEqual(before)
      expect({ maximum_number_of_builds: now }).not.toEqual(before)
      before = { maximum_number_of_builds: now }
    }
    expect(await call('pusher', 'GET /repos/1/settings')).toMatchObject([200, { settings: before }])
  })

  test('schedules waiting jobs when the limit is raised', async () => {
    await patch({ settings: { maximum_number_of_builds: 2 } })
    const { owner_id, owner_type } = await db
      .selectFrom('repositories')
      .selectAll()
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    expect(ctx.enqueued).toEqual([{ name: 'jobs.schedule', payload: { owner_id, owner_type } }])
  })

  test('of one setting keeps the change of another call', async () => {
    await Promise.all([
      patch({ settings: { build_pushes: false } }),
      patch({ settings: { auto_cancel_pushes: true } }),
    ])
    expect(await call('pusher', 'GET /repos/1/settings')).toEqual([
      200,
      { settings: { ...settings, build_pushes: false, auto_cancel_pushes: true } },
    ])
  })
})
