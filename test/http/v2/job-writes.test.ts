import { beforeEach, describe, expect, test } from 'vitest'
import type { JobState } from '../../../src/domain/job/job.ts'
import { createServer } from '../../../src/http/server.ts'
import { v2Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const call = v2Client(await createServer(testContext(db)))

let tokens: Record<string, string>
beforeEach(() => {
  tokens = { unknown: 'bsvc_unknown' }
})

// Jobs 1 and 2 are of a public repository, job 3 of a private one.
async function scene(state: JobState = 'created'): Promise<void> {
  const started = { state: 'started' as const, started_at: noon }
  const web = await make.repository({ name: 'web' })
  const first = await make.build({ repository: web, ...started })
  await make.job({ build: first, number: '1.1', state })
  await make.job({ build: first, number: '1.2', ...started })
  const safe = await make.repository({ name: 'safe', private: true })
  const second = await make.build({ repository: safe, ...started })
  await make.job({ build: second, number: '1.1', state })
  for (const role of ['push', 'pull'] as const) {
    const user = await make.user(role)
    await make.permission(user, web, role)
    await make.permission(user, safe, role)
    tokens[role] = user.token
  }
  tokens.other = (await make.user('other')).token
}

const by = (who: string) => ({ ...(tokens[who] === undefined ? {} : { token: tokens[who] }) })
const job = (id = 1) =>
  db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const build = () =>
  db.selectFrom('builds').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
const records = () => db.selectFrom('audit_records').selectAll().orderBy('id').execute()

const missing = { status: 404, body: { file: 'not found' } }
const noToken = { status: 401, body: 'no access token supplied' }
const denied = { status: 403, body: 'access denied' }

describe('POST /jobs/{id}/cancel', () => {
  test('cancels the job alone', async () => {
    await scene()
    expect(await call('POST /jobs/1/cancel', by('push'))).toEqual({ status: 204, body: '' })
    expect(await job(1)).toMatchObject({ state: 'canceled', canceled_at: noon })
    expect(await job(2)).toMatchObject({ state: 'started' })
    expect(await build()).toMatchObject({ state: 'started', finished_at: null })
    expect(await records()).toMatchObject([
      { actor: 'push', action: 'cancel', subject_type: 'job', subject_id: 1 },
    ])
  })

  test('of the last unfinished job finishes the build', async () => {
    await scene()
    await call('POST /jobs/1/cancel', by('push'))
    await call('POST /jobs/2/cancel', by('push'))
    expect(await build()).toMatchObject({ state: 'canceled', canceled_at: noon, duration: 0 })
  })

  test.each(['passed', 'failed', 'errored', 'canceled'] as const)(
    'is refused once the job is %s',
    async (state) => {
      await scene(state)
      expect(await call('POST /jobs/1/cancel', by('push'))).toEqual({
        status: 422,
        body: { error: { message: "The job(1) can't be canceled", code: 'cant_cancel' } },
      })
      expect(await records()).toEqual([])
    },
  )

  const noAccess = (id: number) => ({
    status: 403,
    body: { error: { message: `You don't have access to cancel job(${id})` } },
  })

  test.each([
    [1, 'pull', noAccess(1)],
    [1, 'other', noAccess(1)],
    [1, 'unknown', denied],
    [1, 'no one', noToken],
    [3, 'pull', noAccess(3)],
    [3, 'other', missing],
    [3, 'no one', noToken],
    [9, 'push', missing],
    ['x', 'push', missing],
    ['1%00', 'push', missing],
    ['99999999999999999999', 'push', missing],
  ])('of job %s is refused to %s', async (id, who, answer) => {
    await scene()
    expect(await call(`POST /jobs/${id}/cancel`, by(who))).toEqual(answer)
    expect(await job()).toMatchObject({ state: 'created' })
  })
})

describe('POST /jobs/{id}/restart', () => {
  const refused = (...errors: string[]) => ({
    status: 400,
    body: { result: false, flash: errors.map((error) => ({ error })) },
  })
  const noAccess = 'You do not seem to have sufficient permissions.'
  const notNow = 'This job currently can not be restarted.'

  test('makes the job wait for another run, with an empty log', async () => {
    await scene('failed')
    await make.log(await job(), 'before\n')
    expect(await call('POST /jobs/1/restart', by('push'))).toEqual({
      status: 202,
      body: { result: true, flash: [{ notice: 'The job was successfully restarted.' }] },
    })
    expect(await job()).toMatchObject({
      state: 'created',
      finished_at: null,
      restarted_at: noon,
      attempt: 2,
    })
    expect(await build()).toMatchObject({ state: 'started' })
    expect(await call('GET /jobs/1/log', { headers: { accept: 'text/plain' } })).toEqual({
      status: 200,
      body: '',
    })
    expect(await records()).toMatchObject([
      {
        actor: 'push',
        action: 'restart',
        subject_type: 'job',
        details: { changed: { jobs: [1] } },
      },
    ])
  })

  test.each(['created', 'queued', 'received', 'started'] as const)(
    'is refused while the job is %s',
    async (state) => {
      await scene(state)
      expect(await call('POST /jobs/1/restart', by('push'))).toEqual(refused(notNow))
      expect(await call('POST /jobs/1/restart', by('pull'))).toEqual(refused(noAccess, notNow))
      expect(await records()).toEqual([])
    },
  )

  test('is refused if the build file cannot be used', async () => {
    await scene('errored')
    await db.updateTable('builds').set({ config_error: 'parse' }).execute()
    expect(await call('POST /jobs/1/restart', by('push'))).toEqual(refused(notNow))
  })

  test.each([
    [1, 'pull', refused(noAccess)],
    [1, 'other', refused(noAccess)],
    [1, 'unknown', denied],
    [1, 'no one', noToken],
    [3, 'pull', refused(noAccess)],
    [3, 'other', missing],
    [3, 'no one', noToken],
    [9, 'push', missing],
    ['x', 'push', missing],
    ['99999999999999999999', 'push', missing],
  ])('of job %s is refused to %s', async (id, who, answer) => {
    await scene('passed')
    expect(await call(`POST /jobs/${id}/restart`, by(who))).toEqual(answer)
    expect(await job()).toMatchObject({ state: 'passed' })
  })
})
