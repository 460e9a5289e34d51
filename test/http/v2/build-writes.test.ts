import { describe, expect, test } from 'vitest'
import type { BuildState } from '../../../src/domain/build.ts'
import { createServer } from '../../../src/http/server.ts'
import { json } from '../../../src/store/tables.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

let tokens: Record<string, string>

// Builds 1 and 2 have a job each; repository 2 is private.
async function scene(state: BuildState = 'created'): Promise<void> {
  const people = { push: await make.user('push'), pull: await make.user('pull') }
  for (const hidden of [false, true]) {
    const repository = await make.repository({ name: hidden ? 'safe' : 'web', private: hidden })
    const build = await make.build({ repository, state, started_at: noon, duration: 5 })
    await make.job({ build, number: '1.1', state })
    await make.permission(people.push, repository, 'push')
    await make.permission(people.pull, repository, 'pull')
  }
  const { token } = await make.user('other')
  tokens = { push: people.push.token, pull: people.pull.token, other: token, unknown: 'bsvc_no' }
}

const by = (who: string) => ({ ...(tokens[who] === undefined ? {} : { token: tokens[who] }) })

const build = (id = 1) =>
  db.selectFrom('builds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const job = (id = 1) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const records = () => db.selectFrom('audit_records').selectAll().orderBy('id').execute()

const missing = { status: 404, body: { file: 'not found' } }
const noToken = { status: 401, body: 'no access token supplied' }
const denied = { status: 403, body: 'access denied' }

describe('POST /builds/{id}/cancel', () => {
  test('cancels all jobs at once, and records who canceled the build', async () => {
    await scene()
    await make.job({ build: await build(), number: '1.2', state: 'created' })
    await make.job({ build: await build(), number: '1.3', state: 'passed' })
    expect(await call('POST /builds/1/cancel', by('push'))).toEqual({ status: 204, body: '' })
    expect(await build()).toMatchObject({ state: 'canceled', canceled_at: noon, finished_at: noon })
    expect(await job(1)).toMatchObject({ state: 'canceled', canceled_at: noon })
    expect(await job(4)).toMatchObject({ state: 'passed', canceled_at: null })
    expect(await records()).toEqual([
      {
        id: 1,
        actor_id: expect.any(Number),
        actor: 'push',
        action: 'cancel',
        subject_type: 'build',
        subject_id: 1,
        details: { token_id: expect.any(Number), address: '127.0.0.1', changed: { jobs: [1, 3] } },
        created_at: noon,
      },
    ])
  })

  test('takes the empty form that clients send', async () => {
    await scene()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await call('POST /builds/1/cancel', { ...by('push'), headers })
    expect(answer).toEqual({ status: 204, body: '' })
  })

  test('is refused when nothing is left to cancel', async () => {
    await scene('passed')
    expect(await call('POST /builds/1/cancel', by('push'))).toEqual({
      status: 422,
      body: { error: { message: "The build(1) can't be canceled", code: 'cant_cancel' } },
    })
    expect(await records()).toEqual([])
  })

  const noAccess = (id: number) => ({
    status: 403,
    body: { error: { message: `You don't have access to cancel build(${id})` } },
  })

  test.each([
    [1, 'pull', noAccess(1)],
    [1, 'other', noAccess(1)],
    [1, 'unknown', denied],
    [1, 'no one', noToken],
    [2, 'pull', noAccess(2)],
    [2, 'other', missing],
    [2, 'unknown', denied],
    [2, 'no one', noToken],
    [9, 'push', missing],
    ['x', 'push', missing],
    ['-1', 'push', missing],
    ['99999999999999999999', 'push', missing],
    ['1%00', 'push', missing],
  ])('of build %s is refused to %s', async (id, who, answer) => {
    await scene()
    expect(await call(`POST /builds/${id}/cancel`, by(who))).toEqual(answer)
    expect(await build()).toMatchObject({ state: 'created' })
    expect(await records()).toEqual([])
  })

  test('needs a token with the scope for builds', async () => {
    await scene()
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('login', '=', 'push')
      .executeTakeFirstOrThrow()
    const token = await make.token(user, ['public', 'private', 'read'])
    expect(await call('POST /builds/1/cancel', { token })).toEqual({
      status: 403,
      body: 'insufficient access',
    })
  })
})

describe('POST /builds/{id}/restart', () => {
  const restarted = {
    status: 202,
    body: { result: true, flash: [{ notice: 'The build was successfully restarted.' }] },
  }
  const refused = (...errors: string[]) => ({
    status: 400,
    body: { result: false, flash: errors.map((error) => ({ error })) },
  })
  const noAccess = 'You do not seem to have sufficient permissions.'
  const notNow = 'This build currently can not be restarted.'

  test('resets all jobs, so that they wait for another run', async () => {
    await scene('failed')
    expect(await call('POST /builds/1/restart', by('push'))).toEqual(restarted)
    expect(await call('GET /builds/1')).toMatchObject({
      body: {
        build: { state: 'created', started_at: null, finished_at: null, duration: null },
        jobs: [{ id: 1, state: 'created', started_at: null, finished_at: null }],
      },
    })
    expect(await records()).toMatchObject([
      { actor: 'push', action: 'restart', subject_type: 'build', subject_id: 1 },
    ])
  })

  test.each([
    ['created', null],
    ['started', null],
    ['errored', 'parse'],
    ['errored', 'too_many_jobs'],
  ] as const)(
    'is refused while the build is %s, with the error %s',
    async (state, config_error) => {
      await scene(state)
      await db.updateTable('builds').set({ config_error }).execute()
      expect(await call('POST /builds/1/restart', by('push'))).toEqual(refused(notNow))
      expect(await call('POST /builds/1/restart', by('other'))).toEqual(refused(noAccess, notNow))
      expect(await build()).toMatchObject({ state, restarted_at: null })
      expect(await records()).toEqual([])
    },
  )

  test.each([
    [1, 'pull', refused(noAccess)],
    [1, 'other', refused(noAccess)],
    [1, 'unknown', denied],
    [1, 'no one', noToken],
    [2, 'pull', refused(noAccess)],
    [2, 'other', missing],
    [2, 'no one', noToken],
    [9, 'push', missing],
    ['x', 'push', missing],
    ['99999999999999999999', 'push', missing],
  ])('of build %s is refused to %s', async (id, who, answer) => {
    await scene('passed')
    expect(await call(`POST /builds/${id}/restart`, by(who))).toEqual(answer)
    expect(await build()).toMatchObject({ state: 'passed' })
  })

  test('keeps secure values out of the audit record', async () => {
    await scene('failed')
    const config = json({ env: [{ secure: 'c2VhbGVk' }] })
    await db.updateTable('jobs').set({ config }).execute()
    await call('POST /builds/1/restart', by('push'))
    const written = JSON.stringify(await records())
    expect(written).not.toContain('c2VhbGVk')
    expect(written).not.toContain(tokens.push)
  })
})
