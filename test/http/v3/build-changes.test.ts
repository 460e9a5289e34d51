import { describe, expect, test } from 'vitest'
import type { BuildState } from '../../../src/domain/build.ts'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { audited, type Role, roles } from '../v2/roles.ts'
import {
  type BuildScene,
  buildWrites,
  conflict,
  denied,
  makeBuilds,
  minimalBuild,
  missing,
  noLogin,
  noWrites,
  refused,
  statesOfJobs,
} from './build-scene.ts'

const db = await testDatabase()
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene

const call = (asked: string, who: Role = 'pusher') => client(asked, { token: scene.tokens[who] })

const pending = (state_change: string, shown: object) => ({
  status: 202,
  body: {
    '@type': 'pending',
    build: { ...minimalBuild, '@permissions': buildWrites, ...shown },
    state_change,
    resource_type: 'build',
  },
})

const reset = { state: 'created', duration: null, started_at: null, finished_at: null }
const canceled = { state: 'canceled', duration: 0 }

describe.each([
  ['cancel', 'started'],
  ['restart', 'passed'],
  ['restart_failed', 'failed'],
] as const)('POST /build/{build.id}/%s', (action, state) => {
  test('is refused to users without push access, and hides hidden records', async () => {
    scene = await makeBuilds(db, state)
    const shown = { ...minimalBuild, ...(state === 'started' ? { finished_at: null } : {}) }
    const seen = { ...shown, state, duration: state === 'started' ? null : 9 }
    const path = (id: number) => `POST /build/${id}/${action}`
    for (const who of ['reader', 'other'] as const) {
      expect(await call(path(1), who)).toEqual(
        refused('build', { ...seen, '@permissions': noWrites }),
      )
    }
    expect(await call(path(2), 'other')).toEqual(missing('build'))
    expect(await call(path(9), 'other')).toEqual(missing('build'))
    expect(await call(path(9))).toEqual(missing('build'))
    expect(await call(path(1), 'no one')).toEqual(noLogin)
    expect(await call(path(9), 'no one')).toEqual(noLogin)
    expect(await call(path(1), 'wrong')).toEqual(denied)
    expect(await statesOfJobs(db)).toEqual([state, state, state, state])
    expect(await audited(db)).toEqual([])
  })

  test.each(['admin', 'pusher'] as const)('is carried out for %s', async (who) => {
    scene = await makeBuilds(db, state)
    expect((await call(`POST /build/2/${action}`, who)).status).toBe(202)
    const changed = action === 'cancel' ? 'canceled' : 'created'
    expect(await statesOfJobs(db)).toEqual([state, state, changed, changed])
  })

  test('changes nothing if an include is invalid', async () => {
    scene = await makeBuilds(db, state)
    for (const include of ['build.colour', 'build']) {
      expect(await call(`POST /build/1/${action}?include=${include}`)).toMatchObject({
        status: 400,
        body: { error_type: 'wrong_params' },
      })
    }
    expect(await statesOfJobs(db)).toEqual([state, state, state, state])
    expect(await audited(db)).toEqual([])
  })

  test('needs a token with the scope for builds', async () => {
    scene = await makeBuilds(db, state)
    await db
      .updateTable('tokens')
      .set({ scopes: JSON.stringify(['public', 'private', 'read']) })
      .execute()
    expect(await call(`POST /build/1/${action}`)).toMatchObject({
      status: 403,
      body: { error_type: 'insufficient_access', permission: 'builds' },
    })
  })

  test('exists only as POST', async () => {
    scene = await makeBuilds(db, state)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      expect(await call(`${method} /build/1/${action}`)).toMatchObject({ status: 405 })
    }
  })
})

describe('canceling a build', () => {
  test('cancels its jobs at once, and records who canceled it', async () => {
    scene = await makeBuilds(db, 'started')
    expect(await call('POST /build/1/cancel')).toEqual(pending('cancel', canceled))
    expect(await statesOfJobs(db)).toEqual(['canceled', 'canceled', 'started', 'started'])
    expect(await audited(db)).toEqual([
      {
        actor: 'pusher',
        action: 'cancel',
        subject: 'build 1',
        changed: { jobs: [1, 2] },
        address: '127.0.0.1',
        byToken: true,
      },
    ])
  })

  test.each(['passed', 'failed'] as const)('is refused when the build is %s', async (state) => {
    scene = await makeBuilds(db, state)
    expect(await call('POST /build/1/cancel')).toEqual(
      conflict('build_not_cancelable', 'build is not running, cannot be canceled'),
    )
    expect(await audited(db)).toEqual([])
  })

  test('shows paths with the prefix of the call', async () => {
    scene = await makeBuilds(db, 'started')
    expect(await call('POST /v3/build/1/cancel')).toEqual(
      pending('cancel', { ...canceled, '@href': '/v3/build/1' }),
    )
  })
})

describe('restarting a build', () => {
  test('resets all its jobs, and records who restarted it', async () => {
    scene = await makeBuilds(db, 'passed')
    expect(await call('POST /build/1/restart')).toEqual(pending('restart', reset))
    expect(await statesOfJobs(db)).toEqual(['created', 'created', 'passed', 'passed'])
    expect(await audited(db)).toMatchObject([
      { actor: 'pusher', action: 'restart', subject: 'build 1', changed: { jobs: [1, 2] } },
    ])
  })

  test('changes nothing while the build has not started', async () => {
    scene = await makeBuilds(db, 'created')
    expect(await call('POST /build/1/restart')).toEqual(pending('restart', reset))
    expect(await audited(db)).toEqual([])
  })

  test.each<BuildState>(['received', 'started'])(
    'is refused while the build is %s',
    async (state) => {
      scene = await makeBuilds(db, 'started')
      await db.updateTable('builds').set({ state }).execute()
      expect(await call('POST /build/1/restart')).toEqual(
        conflict('build_already_running', 'build is running, cannot be restarted'),
      )
      expect(await audited(db)).toEqual([])
    },
  )

  test('is refused if its build file cannot be used', async () => {
    scene = await makeBuilds(db, 'failed')
    await db.updateTable('builds').set({ config_error: 'parse' }).execute()
    for (const action of ['restart', 'restart_failed']) {
      expect(await call(`POST /build/1/${action}`)).toEqual({
        status: 422,
        body: {
          '@type': 'error',
          error_type: 'unprocessable_entity',
          error_message:
            'the build file of this build cannot be used, so that it cannot be restarted',
        },
      })
    }
  })
})

describe('restarting the jobs that did not pass', () => {
  test('leaves passed jobs alone', async () => {
    scene = await makeBuilds(db, 'failed')
    await db.updateTable('jobs').set({ state: 'passed' }).where('id', '=', 1).execute()
    expect(await call('POST /build/1/restart_failed')).toEqual(pending('restart', reset))
    expect(await statesOfJobs(db)).toEqual(['passed', 'created', 'failed', 'failed'])
    expect(await audited(db)).toMatchObject([{ action: 'restart', changed: { jobs: [2] } }])
  })

  test('is refused if all jobs have passed', async () => {
    scene = await makeBuilds(db, 'passed')
    expect(await call('POST /build/1/restart_failed')).toMatchObject({
      status: 422,
      body: { error_type: 'unprocessable_entity' },
    })
    expect(await statesOfJobs(db)).toEqual(['passed', 'passed', 'passed', 'passed'])
    expect(await audited(db)).toEqual([])
  })
})

test('no one has the right to prioritize a build', async () => {
  scene = await makeBuilds(db, 'started')
  const answers = Object.fromEntries(
    await Promise.all(
      roles.map(async (who) => [who, await call('POST /build/1/priority', who)] as const),
    ),
  )
  const of = (permission: string, permissions: object) => ({
    status: 403,
    body: {
      '@type': 'error',
      error_type: 'insufficient_access',
      error_message: `operation requires ${permission} access to build`,
      permission,
      resource_type: 'build',
      build: {
        ...minimalBuild,
        state: 'started',
        duration: null,
        finished_at: null,
        '@permissions': permissions,
      },
    },
  })
  expect(answers).toEqual({
    admin: of('prioritize', buildWrites),
    pusher: of('prioritize', buildWrites),
    reader: of('write', noWrites),
    other: of('write', noWrites),
    'no one': noLogin,
    wrong: denied,
  })
  expect(await call('POST /build/2/priority', 'other')).toEqual(missing('build'))
})
