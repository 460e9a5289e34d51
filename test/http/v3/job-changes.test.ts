import { describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { audited, type Role } from '../v2/roles.ts'
import {
  type BuildScene,
  conflict,
  denied,
  jobOf,
  jobWrites,
  makeBuilds,
  missing,
  noLogin,
  refused,
  statesOfJobs,
} from './build-scene.ts'

const db = await testDatabase()
const client = v3Client(await createServer(testContext(db)))

let scene: BuildScene

const call = (asked: string, who: Role = 'pusher') => client(asked, { token: scene.tokens[who] })

const pending = (state_change: string) => ({
  status: 202,
  body: {
    '@type': 'pending',
    job: { ...jobOf(1), '@permissions': jobWrites },
    state_change,
    resource_type: 'job',
  },
})

describe.each([
  // The later stage does not run any more.
  ['cancel', 'started', ['canceled', 'canceled']],
  ['restart', 'failed', ['created', 'failed']],
] as const)('POST /job/{job.id}/%s', (action, state, changed) => {
  const path = (id: number) => `POST /job/${id}/${action}`

  test('is refused to users without push access, and hides hidden records', async () => {
    scene = await makeBuilds(db, state)
    for (const who of ['reader', 'other'] as const) {
      expect(await call(path(1), who)).toEqual(refused('job', jobOf(1)))
    }
    expect(await call(path(3), 'other')).toEqual(missing('job'))
    expect(await call(path(9), 'other')).toEqual(missing('job'))
    expect(await call(path(9))).toEqual(missing('job'))
    expect(await call(path(1), 'no one')).toEqual(noLogin)
    expect(await call(path(9), 'no one')).toEqual(noLogin)
    expect(await call(path(1), 'wrong')).toEqual(denied)
    expect(await statesOfJobs(db)).toEqual([state, state, state, state])
    expect(await audited(db)).toEqual([])
  })

  test('is carried out for users with push access, and recorded', async () => {
    scene = await makeBuilds(db, state)
    expect(await call(path(1))).toEqual(pending(action))
    expect(await statesOfJobs(db)).toEqual([...changed, state, state])
    expect((await call(path(3), 'admin')).status).toBe(202)
    expect(await audited(db)).toMatchObject([
      { actor: 'pusher', action, subject: 'job 1', byToken: true },
      { actor: 'admin', action, subject: 'job 3', byToken: true },
    ])
  })

  test('changes nothing if an include is invalid', async () => {
    scene = await makeBuilds(db, state)
    expect(await call(`${path(1)}?include=job.colour`)).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
    expect(await statesOfJobs(db)).toEqual([state, state, state, state])
  })

  test('needs a token with the scope for builds', async () => {
    scene = await makeBuilds(db, state)
    const scopes = JSON.stringify(['public', 'private', 'read', 'settings'])
    await db.updateTable('tokens').set({ scopes }).execute()
    expect(await call(path(1))).toMatchObject({ status: 403, body: { permission: 'builds' } })
  })
})

describe('canceling a job', () => {
  test('is refused if the job has finished', async () => {
    scene = await makeBuilds(db, 'passed')
    expect(await call('POST /job/1/cancel')).toEqual(
      conflict('job_not_cancelable', 'job is not running, cannot be canceled'),
    )
    expect(await audited(db)).toEqual([])
  })
})

describe('restarting a job', () => {
  test.each(['queued', 'received', 'started'] as const)(
    'is refused if the job is %s',
    async (state) => {
      scene = await makeBuilds(db, 'started')
      await db.updateTable('jobs').set({ state }).execute()
      expect(await call('POST /job/1/restart')).toEqual(
        conflict('job_already_running', 'job is running, cannot be restarted'),
      )
    },
  )

  test('changes nothing while the job has not started', async () => {
    scene = await makeBuilds(db, 'created')
    expect(await call('POST /job/1/restart')).toEqual(pending('restart'))
    expect(await audited(db)).toEqual([])
  })

  test('is refused if the build file cannot be used', async () => {
    scene = await makeBuilds(db, 'failed')
    await db.updateTable('builds').set({ config_error: 'parse' }).execute()
    expect(await call('POST /job/1/restart')).toMatchObject({
      status: 422,
      body: { error_type: 'unprocessable_entity' },
    })
  })
})

test('no one has the right to debug a job', async () => {
  scene = await makeBuilds(db, 'failed')
  expect(await call('POST /job/1/debug', 'reader')).toEqual(refused('job', jobOf(1)))
  expect(await call('POST /job/1/debug', 'no one')).toEqual(noLogin)
  expect(await call('POST /job/3/debug', 'other')).toEqual(missing('job'))
  expect(await call('POST /job/1/debug', 'admin')).toEqual({
    status: 403,
    body: {
      '@type': 'error',
      error_type: 'insufficient_access',
      error_message: 'operation requires debug access to job',
      permission: 'debug',
      resource_type: 'job',
      job: { ...jobOf(1), '@permissions': jobWrites },
    },
  })
})
