import { beforeEach, describe, expect, test } from 'vitest'
import type { Job } from '../../../src/domain/job/job.ts'
import { appendLog } from '../../../src/flow/jobs/logs.ts'
import { restartJob } from '../../../src/flow/jobs/restart-job.ts'
import { createServer } from '../../../src/http/server.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { caller } from '../door.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const call = caller(await createServer(ctx))
const aged = testContext(db)
const callAged = caller(
  await createServer({ ...aged, config: { ...aged.config, logAgeLimit: true } }),
)

let tokens: Record<string, string>
let job: Job

// Job 1 is public and passed, job 2 is public and runs, job 3 is private and passed.
beforeEach(async () => {
  tokens = { unknown: 'bsvc_no' }
  const web = await make.repository({ name: 'web' })
  const build = await make.build({ repository: web, state: 'started' })
  job = await make.job({ build, state: 'passed', started_at: noon })
  await make.log(job, 'hello\r\n', 'wörld\n')
  await make.log(await make.job({ build, state: 'started', started_at: noon }), 'running\n')
  const safe = await make.repository({ name: 'safe', private: true })
  const hidden = await make.build({ repository: safe, state: 'passed' })
  await make.log(await make.job({ build: hidden, state: 'passed', started_at: noon }), 'secret\n')
  for (const role of ['push', 'pull'] as const) {
    const user = await make.user(role)
    await make.permission(user, web, role)
    await make.permission(user, safe, role)
    tokens[role] = user.token
  }
  tokens.other = (await make.user('other')).token
})

const by = (who: string): Record<string, string> =>
  tokens[who] === undefined ? {} : { authorization: `token ${tokens[who]}` }

const log = { id: 1, job_id: 1, type: 'Log', removed_at: null, removed_by: null }
const whole = { log: { ...log, body: 'hello\r\nwörld\n' } }

describe('GET /logs/{id}', () => {
  test.each([
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'application/vnd.service.2+json' },
    { accept: 'application/vnd.service.2.1+json, text/plain' },
    { accept: 'text/plain;q=0.5, application/json' },
  ])('is JSON for %j', async (headers) => {
    const answer = await call('GET /logs/1', headers)
    expect([answer.statusCode, answer.json()]).toEqual([200, whole])
    expect(answer.headers['content-type']).toBe('application/json;charset=utf-8')
  })

  test.each([
    'text/plain',
    'text/*',
    'application/json;q=0.5, text/plain',
    'image/png, text/plain',
  ])('is text for %s', async (accept) => {
    const answer = await call('GET /logs/1', { accept })
    expect([answer.statusCode, answer.body]).toEqual([200, 'hello\r\nwörld\n'])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain;charset=utf-8',
      'content-disposition': 'inline; filename="1"',
    })
  })

  test.each([
    'application/json; chunked=true',
    'text/plain; chunked=true',
    'application/json; chunked=true; version=2, application/json; version=2',
  ])('of a running job is in parts for %s', async (accept) => {
    const answer = await call('GET /logs/2', { accept })
    const parts = [
      { number: 1, content: 'running\n', final: false },
      { number: 2, content: '', final: true },
    ]
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { log: { ...log, id: 2, job_id: 2, parts } },
    ])
  })

  test.each([
    'application/json; chunked=true',
    'text/plain; chunked=true',
    'application/json; chunked=true, image/png',
  ])('of a finished job is a single part for %s', async (accept) => {
    const parts = [{ number: 0, content: 'hello\r\nwörld\n', final: true }]
    const answer = await call('GET /logs/1', { accept })
    expect([answer.statusCode, answer.json()]).toEqual([200, { log: { ...log, parts } }])
  })

  test('stays in parts while the last output of a canceled job is still arriving', async () => {
    const accept = 'application/json; chunked=true'
    const canceled = { state: 'canceled', finished_at: noon } as const
    await db.updateTable('jobs').set(canceled).where('id', '=', 2).execute()
    await db.deleteFrom('log_parts').where('log_id', '=', 2).where('final', '=', true).execute()
    const shown = async () => (await call('GET /logs/2', { accept })).json().log.parts
    expect(await shown()).toEqual([{ number: 1, content: 'running\n', final: false }])
    await db.updateTable('logs').set({ scanned_at: noon }).where('id', '=', 2).execute()
    expect(await shown()).toEqual([{ number: 0, content: 'running\n', final: true }])
  })

  test('returns the whole log of a finished job if a form without parts is also accepted', async () => {
    const accept = 'application/json; chunked=true; version=2, application/json; version=2'
    expect((await call('GET /logs/1', { accept })).json()).toEqual(whole)
    const orText = 'application/json; chunked=true, text/plain'
    expect((await call('GET /logs/1', { accept: orText })).body).toBe('hello\r\nwörld\n')
    expect((await call('GET /jobs/1/log', { accept })).json()).toEqual(whole)
  })

  test('returns only the parts that are requested', async () => {
    const answer = await call('GET /logs/1?after=1&part_numbers=1,2', {
      accept: 'application/json; chunked=true',
    })
    const parts = [{ number: 2, content: 'wörld\n', final: false }]
    expect(answer.json()).toEqual({ log: { ...log, parts } })
  })

  test.each(['image/png', 'text/html'])('is not acceptable for %s', async (accept) => {
    const answer = await call('GET /logs/1', { accept })
    expect([answer.statusCode, answer.body]).toEqual([406, ''])
  })

  test.each(['9', 'x', '-1', '1%00', '99999999999999999999'])('finds no log %s', async (id) => {
    const answer = await call(`GET /logs/${id}`)
    expect([answer.statusCode, answer.json()]).toEqual([404, { file: 'not found' }])
  })
})

const paths = ['/logs/3', '/jobs/3/log', '/jobs/3/logs', '/jobs/3/log.txt', '/jobs/3/logs.txt']

describe.each(paths)('GET %s of a private repository', (path) => {
  test.each([
    ['push', 200, 'secret\n'],
    ['pull', 200, 'secret\n'],
    ['other', 404, '{"file":"not found"}'],
    ['no one', 404, '{"file":"not found"}'],
    ['unknown', 403, 'access denied'],
  ])('requested by %s is %d', async (who, status, body) => {
    const answer = await call(`GET ${path}`, { ...by(who), accept: 'text/plain' })
    expect([answer.statusCode, answer.body]).toEqual([status, body])
  })
})

const everyRoute = ['/logs/1', '/jobs/1/log', '/jobs/1/logs', '/jobs/1/log.txt', '/jobs/1/logs.txt']

describe.each(everyRoute)('the settings that limit access to logs at %s', (path) => {
  const forms = path.endsWith('.txt')
    ? ['text/plain']
    : ['application/json', 'text/plain', 'application/json; chunked=true']
  const expired = { error: { message: 'the repository settings hide logs of this age' } }
  const restricted = { error: { message: 'the repository settings restrict access to this log' } }

  test('have no effect by default', async () => {
    ctx.pass(400 * 24 * 60 * 60)
    expect((await call(`GET ${path}`)).statusCode).toBe(200)
  })

  test.each(forms)('restrict logs to users with push access, as %s', async (accept) => {
    await changeSettings(db, 1, { job_log_access_based_limit: true })
    for (const who of ['pull', 'other', 'no one']) {
      const answer = await call(`GET ${path}`, { ...by(who), accept })
      expect([who, answer.statusCode, answer.json()]).toEqual([who, 403, restricted])
    }
    expect((await call(`GET ${path}`, { ...by('push'), accept })).statusCode).toBe(200)
  })

  test.each(forms)(
    'hide old logs from everyone if the operator enabled it, as %s',
    async (accept) => {
      const days = (count: number) => new Date(aged.now().getTime() - count * 24 * 60 * 60 * 1000)
      await db
        .updateTable('jobs')
        .set({ started_at: days(364) })
        .execute()
      expect((await callAged(`GET ${path}`, { accept })).statusCode).toBe(200)
      await db
        .updateTable('jobs')
        .set({ started_at: days(366) })
        .execute()
      for (const who of ['push', 'no one']) {
        const answer = await callAged(`GET ${path}`, { ...by(who), accept })
        expect([who, answer.statusCode, answer.json()]).toEqual([who, 403, expired])
      }
      expect((await call(`GET ${path}`, { accept })).statusCode).toBe(200)
      await changeSettings(db, 1, { job_log_time_based_limit: true })
      expect((await callAged(`GET ${path}`, { accept })).statusCode).toBe(200)
    },
  )

  test.each(forms)('check the age of a log before access, as %s', async (accept) => {
    const started_at = new Date(aged.now().getTime() - 366 * 24 * 60 * 60 * 1000)
    await db.updateTable('jobs').set({ started_at }).execute()
    await changeSettings(db, 1, { job_log_access_based_limit: true })
    const answered = async (of: typeof call) => {
      const answer = await of(`GET ${path}`, { ...by('pull'), accept })
      return [answer.statusCode, answer.json<unknown>()]
    }
    expect(await answered(callAged)).toEqual([403, expired])
    expect(await answered(call)).toEqual([403, restricted])
  })

  test.each(forms)('hide the old logs of earlier attempts, as %s', async (accept) => {
    const started_at = new Date(aged.now().getTime() - 366 * 24 * 60 * 60 * 1000)
    await db.updateTable('jobs').set({ started_at, attempt: 1 }).where('id', '=', 1).execute()
    await db.updateTable('log_parts').set({ attempt: 1 }).where('log_id', '=', 1).execute()
    const user = await make.user()
    await restartJob(ctx, { user, token_id: null, address: '127.0.0.1' }, 1)
    const answer = await callAged(`GET ${path}?attempt=1`, { accept })
    expect([answer.statusCode, answer.json()]).toEqual([403, expired])
    expect((await callAged(`GET ${path}`, { accept })).statusCode).toBe(200)
    expect((await call(`GET ${path}?attempt=1`, { accept })).body).toContain('hello')
  })
})

test('a log requested with `deansi` has no terminal codes', async () => {
  const coloured = { content: '\u001B[31mred\u001B[0m\r\n10%\r20%\r\n' }
  await db.updateTable('log_parts').set(coloured).where('number', '=', 1).execute()
  expect((await call('GET /jobs/1/log?deansi')).body).toBe('red\n20%\nwörld\n')
  expect((await call('GET /jobs/1/log?deansi=true')).body).toBe('red\n20%\nwörld\n')
  for (const path of ['/jobs/1/log', '/jobs/1/log?deansi=false', '/jobs/1/log?deansi=0']) {
    expect((await call(`GET ${path}`)).body).toBe(`${coloured.content}wörld\n`)
  }
})

test.each([
  ['of colours with an intermediate byte', 'a\u001B[1 qb', 'ab'],
  ['of tput sgr0', 'a\u001B(B\u001B[mb', 'ab'],
  ['that save and restore the cursor', '\u001B7a\u001B8b', 'ab'],
  ['of keypads', '\u001B=a\u001B>b', 'ab'],
  ['of a reset', '\u001Bcab', 'ab'],
  ['of titles', '\u001B]0;title\u0007a\u001BPq#\u001B\\b', 'ab'],
])('a log requested with `deansi` has no codes %s', async (_name, content, shown) => {
  await db.updateTable('log_parts').set({ content }).where('number', '=', 1).execute()
  expect((await call('GET /jobs/1/log?deansi')).body).toBe(`${shown}wörld\n`)
})

const removals = ['/logs', '/jobs'] as const
const removalOf = (kind: (typeof removals)[number], id: number | string) =>
  kind === '/logs' ? `PATCH /logs/${id}` : `PATCH /jobs/${id}/log`

describe.each(removals)('PATCH of a log below %s', (kind) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const at = () => ctx.now().toISOString().slice(0, 19)
  const line = () => `Log removed by Name of push at ${at().replace('T', ' ')} UTC`
  const head = () => ({ ...log, removed_at: `${at()}Z`, removed_by: 'Name of push' })

  test('replaces the log with a note of who removed it, when and why', async () => {
    const body = `${line()}\n\nit had a password`
    const answer = await call(
      removalOf(kind, 1),
      { ...by('push'), ...form },
      'reason=it+had+a+password',
    )
    expect([answer.statusCode, answer.json()]).toEqual([200, { log: { ...head(), body } }])
    expect((await call('GET /logs/1')).json()).toEqual({ log: { ...head(), body } })
    expect((await call('GET /jobs/1/log')).body).toBe(body)
    const accept = 'application/json; chunked=true'
    expect((await call('GET /jobs/1/log', { accept })).json()).toEqual({
      log: { ...head(), parts: [{ number: 0, content: body, final: true }] },
    })
    expect(
      await db.selectFrom('log_parts').select('content').where('log_id', '=', 1).execute(),
    ).toEqual([{ content: body }])
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toMatchObject([
      {
        actor: 'push',
        action: 'remove_log',
        subject_type: 'job',
        subject_id: 1,
        details: { changed: { reason: 'it had a password' } },
      },
    ])
  })

  test('needs no reason, and no body', async () => {
    const answer = await call(removalOf(kind, 1), by('push'))
    expect(answer.json()).toEqual({ log: { ...head(), body: line() } })
  })

  test.each([{ reason: ['private', 'x'] }, { reason: { a: 1 } }, { reason: 'a\u0000b' }])(
    'is refused with %j, and keeps the log',
    async (body) => {
      const headers = { ...by('push'), 'content-type': 'application/json' }
      const answer = await call(removalOf(kind, 1), headers, JSON.stringify(body))
      expect(answer.statusCode).toBe(400)
      expect((await call('GET /jobs/1/log')).body).toBe('hello\r\nwörld\n')
    },
  )

  test('succeeds only once', async () => {
    await call(removalOf(kind, 1), by('push'))
    const answer = await call(removalOf(kind, 1), by('push'))
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: { message: 'Log for job 1 has already been removed' } },
    ])
    expect(await db.selectFrom('audit_records').select('id').execute()).toHaveLength(1)
  })

  test('is refused until the job has finished', async () => {
    const answer = await call(removalOf(kind, 2), by('push'))
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      { error: { message: 'Job 2 is not finished' } },
    ])
    expect((await call('GET /jobs/2/log')).body).toBe('running\n')
  })

  const noRight = [401, { error: { message: 'insufficient permission to remove logs' } }] as const
  const missing = [404, { file: 'not found' }] as const

  test.each([
    [1, 'pull', noRight],
    [1, 'other', noRight],
    [3, 'pull', noRight],
    [3, 'other', missing],
    [9, 'push', missing],
    ['x', 'push', missing],
    ['99999999999999999999', 'push', missing],
  ])('%s is refused to %s', async (id, who, expected) => {
    const answer = await call(removalOf(kind, id), by(who))
    expect([answer.statusCode, answer.json()]).toEqual(expected)
    expect((await call('GET /jobs/1/log')).body).toBe('hello\r\nwörld\n')
  })

  test.each([
    ['no one', 401, 'no access token supplied'],
    ['unknown', 403, 'access denied'],
  ])('requested by %s is %d', async (who, status, body) => {
    const answer = await call(removalOf(kind, 3), by(who))
    expect([answer.statusCode, answer.body]).toEqual([status, body])
  })
})

test('output that a runner sends after the log was removed is dropped', async () => {
  await call('PATCH /logs/1', by('push'))
  const part = { number: 4, content: 'late', final: false }
  await appendLog(ctx, { job_id: 1, attempt: job.attempt }, [part])
  expect((await call('GET /jobs/1/log')).body).toMatch(/^Log removed by [^\n]+ UTC$/)
})
