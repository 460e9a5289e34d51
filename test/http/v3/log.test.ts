import { describe, expect, test } from 'vitest'
import { lastPart } from '../../../src/domain/log/log.ts'
import { createServer } from '../../../src/http/server.ts'
import { v3Endpoints } from '../../../src/http/v3/endpoints.ts'
import { changeSettings } from '../../../src/store/repositories/settings.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { caller } from '../door.ts'
import { audited, type Role, roles } from '../v2/roles.ts'
import {
  type BuildScene,
  conflict,
  denied,
  jobWrites,
  logParts,
  makeBuilds,
  makeBuildsWithLogs,
  missing,
  noJobWrites,
  noLogin,
  refused,
  wholeLog,
} from './build-scene.ts'

const db = await testDatabase()
const ctx = testContext(db)
const server = await createServer(ctx)
const client = v3Client(server)
const raw = caller(server)

let scene: BuildScene

const makeLogs = async () => {
  scene = await makeBuildsWithLogs(db)
}

const call = (asked: string, who: Role = 'no one', headers: Record<string, string> = {}) =>
  client(asked, { token: scene.tokens[who], headers })

const withoutPrioritize = ({ prioritize: _prioritize, ...rights }: typeof jobWrites) => rights
const reading = withoutPrioritize(noJobWrites)
const writing = withoutPrioritize(jobWrites)

const minimal = {
  '@type': 'log',
  '@href': '/job/1/log',
  '@representation': 'minimal',
  '@permissions': reading,
  id: 1,
}
const log = {
  ...minimal,
  '@representation': 'standard',
  content: 'hello\r\nwörld\n',
  log_parts: wholeLog,
  '@raw_log_href': '/v3/job/1/log.txt',
}

describe('GET /job/{job.id}/log', () => {
  test('shows a log with its parts, and with the address of its text', async () => {
    await makeLogs()
    expect(await call('GET /job/1/log')).toEqual({ status: 200, body: log })
    expect(await call('GET /v3/job/1/log')).toEqual({
      status: 200,
      body: { ...log, '@href': '/v3/job/1/log' },
    })
    expect(await call('GET /job/2/log')).toEqual({
      status: 200,
      body: {
        ...log,
        '@href': '/job/2/log',
        id: 2,
        content: '',
        log_parts: [{ number: 0, content: '', final: true }],
        '@raw_log_href': '/v3/job/2/log.txt',
      },
    })
  })

  test.each<[Role, object]>([
    ['admin', writing],
    ['pusher', writing],
    ['reader', reading],
    ['other', reading],
    ['no one', reading],
  ])('shows %s their permissions', async (who, permissions) => {
    await makeLogs()
    expect((await call('GET /job/1/log', who)).body).toMatchObject({ '@permissions': permissions })
  })

  test.each(['log', 'log.txt', 'log_parts'])('hides a private log: %s', async (path) => {
    await makeLogs()
    const statuses = await Promise.all(
      roles.map(async (who) => [who, (await call(`GET /job/3/${path}`, who)).status] as const),
    )
    expect(Object.fromEntries(statuses)).toEqual({
      admin: 200,
      pusher: 200,
      reader: 200,
      other: 404,
      'no one': 404,
      wrong: 403,
    })
    const bodies = await Promise.all(
      ['3', '9', '9223372036854775808'].map(
        async (id) => (await raw(`GET /v3/job/${id}/${path}`)).body,
      ),
    )
    expect(JSON.parse(bodies[0] ?? '')).toEqual(missing('job').body)
    expect(new Set(bodies).size).toBe(1)
    expect((await raw(`GET /v3/job/x/${path}`)).json()).toMatchObject({ resource_type: null })
  })

  test('shows an earlier attempt', async () => {
    await makeLogs()
    await db.updateTable('jobs').set({ attempt: 2 }).where('id', '=', 1).execute()
    expect((await call('GET /job/1/log')).body).toMatchObject({ content: '' })
    expect((await call('GET /job/1/log?attempt=1')).body).toMatchObject({ log_parts: wholeLog })
    for (const attempt of ['-9', '7', '99999999999']) {
      for (const path of ['log', 'log_parts']) {
        expect(await call(`GET /job/1/${path}?attempt=${attempt}`)).toMatchObject({
          status: 404,
          body: { error_type: 'not_found', resource_type: 'log' },
        })
      }
      expect((await call(`GET /job/1/log.txt?attempt=${attempt}`)).status).toBe(404)
    }
    expect(await call('GET /job/1/log?attempt=x')).toMatchObject({ status: 400 })
  })

  test('is refused with an unknown include', async () => {
    await makeLogs()
    expect(await call('GET /job/1/log?include=log.colour')).toMatchObject({ status: 400 })
  })
})

describe('the text of a log', () => {
  test.each<[string, Record<string, string>]>([
    ['/job/1/log.txt', { 'service-api-version': '3' }],
    ['/v3/job/1/log.txt', {}],
    ['/v3/job/1/log', { accept: 'text/plain' }],
  ])('is at %s for %j', async (path, headers) => {
    await makeLogs()
    const answer = await raw(`GET ${path}`, headers)
    expect([answer.statusCode, answer.body]).toEqual([200, 'hello\r\nwörld\n'])
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain;charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    expect(answer.headers['x-robots-tag']).toBe(
      path.endsWith('.txt') ? 'noindex, noarchive, nosnippet' : undefined,
    )
  })

  test('is JSON for clients that also accept other types', async () => {
    await makeLogs()
    expect(await call('GET /job/1/log', 'no one', { accept: 'text/plain, */*' })).toEqual({
      status: 200,
      body: log,
    })
  })

  test('at a path ending in .txt has errors with the type of text and a body of JSON', async () => {
    await makeLogs()
    for (const path of [
      '/v3/job/9/log.txt',
      '/v3/job/1/log.txt?attempt=x',
      '/v3/job/x/log.txt',
      '/v3/repo/1.txt',
    ]) {
      const answer = await raw(`GET ${path}`)
      expect(answer.headers['content-type']).toBe('text/plain')
      expect(JSON.parse(answer.body)).toMatchObject({ '@type': 'error' })
    }
  })
})

describe('the settings of a repository', () => {
  const paths = ['log', 'log.txt', 'log_parts']
  const error = (error_type: string, error_message: string) => ({
    '@type': 'error',
    error_type,
    error_message,
  })

  test.each(paths)('can restrict %s to users with push access', async (path) => {
    await makeLogs()
    await changeSettings(db, 1, { job_log_access_based_limit: true })
    const statuses = await Promise.all(
      roles.map(async (who) => (await call(`GET /job/1/${path}`, who)).status),
    )
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403])
    const token = { authorization: `token ${scene.tokens.reader}` }
    expect(JSON.parse((await raw(`GET /v3/job/1/${path}`, token)).body)).toEqual(
      error('log_access_denied', 'the repository settings restrict access to this log'),
    )
  })

  test.each(paths)('hide an old %s if the operator enabled it', async (path) => {
    await makeLogs()
    const limited = testContext(db)
    limited.config = { ...limited.config, logAgeLimit: true }
    const old = caller(await createServer(limited))
    limited.pass(366 * 24 * 60 * 60)
    const answer = await old(`GET /v3/job/1/${path}`)
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([
      403,
      error('log_expired', 'the repository settings hide logs of this age'),
    ])
    await changeSettings(db, 1, { job_log_access_older_than_days: 367 })
    expect((await old(`GET /v3/job/1/${path}`)).statusCode).toBe(200)
    await changeSettings(db, 1, { job_log_access_older_than_days: 30 })
    expect((await old(`GET /v3/job/1/${path}`)).statusCode).toBe(403)
    await changeSettings(db, 1, { job_log_time_based_limit: true })
    expect((await old(`GET /v3/job/1/${path}`)).statusCode).toBe(200)
  })
})

describe('the settings of a repository about old logs', () => {
  const days = (count: number) => new Date(noon.getTime() - count * 24 * 60 * 60 * 1000)

  /** Calls as one who can read. Job 1 started so many days ago; attempt 1, which came before, `earlier`. */
  async function withAges(age: number, earlier: number) {
    await makeLogs()
    const limited = testContext(db)
    limited.config = { ...limited.config, logAgeLimit: true }
    await db
      .updateTable('jobs')
      .set({ attempt: 2, started_at: days(age) })
      .where('id', '=', 1)
      .execute()
    await db
      .insertInto('job_versions')
      .values({
        job_id: 1,
        number: 1,
        state: 'failed',
        started_at: days(earlier),
        created_at: noon,
      })
      .execute()
    const token = scene.tokens.reader ?? ''
    const aged = v3Client(await createServer(limited))
    return (asked: string) => aged(asked, { token })
  }

  const expired = {
    status: 403,
    body: {
      '@type': 'error',
      error_type: 'log_expired',
      error_message: 'the repository settings hide logs of this age',
    },
  }

  describe.each(['log', 'log_parts'])('apply to the age of the requested attempt: %s', (path) => {
    test('which is old, before a recent attempt', async () => {
      const call = await withAges(1, 366)
      expect(await call(`GET /job/1/${path}?log.attempt=1`)).toEqual(expired)
      expect(await call(`GET /job/1/${path}?log.attempt=2`)).toMatchObject({ status: 200 })
      expect(await call(`GET /job/1/${path}`)).toMatchObject({ status: 200 })
    })

    test('which is recent, before an old attempt', async () => {
      const call = await withAges(366, 1)
      expect(await call(`GET /job/1/${path}?log.attempt=1`)).toMatchObject({
        status: 200,
        body: { log_parts: wholeLog },
      })
      expect(await call(`GET /job/1/${path}?log.attempt=2`)).toEqual(expired)
      expect(await call(`GET /job/1/${path}`)).toEqual(expired)
    })
  })

  test.each(['log', 'log_parts'])('take precedence over the limit by access: %s', async (path) => {
    const call = await withAges(366, 366)
    await changeSettings(db, 1, { job_log_access_based_limit: true })
    expect(await call(`GET /job/1/${path}`)).toEqual(expired)
    await changeSettings(db, 1, { job_log_time_based_limit: true })
    expect(await call(`GET /job/1/${path}`)).toMatchObject({
      status: 403,
      body: { error_type: 'log_access_denied' },
    })
  })
})

describe('DELETE /job/{job.id}/log', () => {
  test('replaces the log with a note of who removed it, and leaves an audit record', async () => {
    await makeLogs()
    const { status, body } = await call('DELETE /job/1/log?reason=a%20password', 'pusher')
    const { content } = body as { content: string }
    expect(content).toContain('Name of pusher')
    expect(content).toContain('a password')
    const removed = {
      ...log,
      '@permissions': writing,
      content,
      log_parts: [{ number: 0, content, final: true }],
    }
    expect([status, body]).toEqual([200, removed])
    expect(await call('GET /job/1/log', 'pusher')).toEqual({ status: 200, body: removed })
    expect(await audited(db)).toEqual([
      {
        actor: 'pusher',
        action: 'remove_log',
        subject: 'job 1',
        changed: { reason: 'a password' },
        address: '127.0.0.1',
        byToken: true,
      },
    ])
    expect(await call('DELETE /job/1/log', 'pusher')).toEqual(
      conflict('log_already_removed', 'log was already removed'),
    )
  })

  test('is refused while the job has not finished', async () => {
    scene = await makeBuilds(db, 'started')
    expect(await call('DELETE /job/1/log', 'admin')).toEqual(
      conflict('job_unfinished', 'log of an unfinished job cannot be removed'),
    )
  })

  test('is refused to users without push access, and hides hidden records', async () => {
    await makeLogs()
    for (const who of ['reader', 'other'] as const) {
      expect(await call('DELETE /job/1/log', who)).toEqual(refused('log', minimal))
    }
    expect(await call('DELETE /job/3/log', 'other')).toEqual(missing('job'))
    expect(await call('DELETE /job/9/log', 'other')).toEqual(missing('job'))
    expect(await call('DELETE /job/1/log', 'no one')).toEqual(noLogin)
    expect(await call('DELETE /job/1/log', 'wrong')).toEqual(denied)
    expect(await call('DELETE /job/1/log?include=log.colour', 'pusher')).toMatchObject({
      status: 400,
    })
    expect(await audited(db)).toEqual([])
  })

  test('needs a token with the scope for settings', async () => {
    await makeLogs()
    const scopes = JSON.stringify(['public', 'private', 'read', 'builds'])
    await db.updateTable('tokens').set({ scopes }).execute()
    expect(await call('DELETE /job/1/log', 'pusher')).toMatchObject({
      status: 403,
      body: { permission: 'settings' },
    })
  })
})

test.each(['log', 'log.txt', 'log_parts'])(
  'reading %s anonymously counts towards the rate limit of anonymous logs',
  (path) => {
    const endpoint = v3Endpoints.find(({ paths }) =>
      paths.some((each) => each.endsWith(`/${path}`)),
    )
    expect(endpoint?.admission.rate).toMatchObject({ name: 'anonymous logs', of: 'anonymous' })
  },
)

describe('a log that is too large to be held in memory', () => {
  test('looks like a small log, as JSON, as text and in parts', async () => {
    await makeLogs()
    const awkward = 'a "quoted" \\ line\r\n\u001b[0m wörld 🎉 \u2028 </script>\n'
    const large = Array.from({ length: 400 }, (_, index) => ({
      number: index + 4,
      content: `${index} ${awkward.repeat(80)}`,
      final: false,
    }))
    const said = { number: lastPart, content: 'The end.', final: true }
    const rows = [...large, said].map((part) => ({ ...part, log_id: 1, attempt: 1 }))
    await db.insertInto('log_parts').values(rows).execute()
    const all = [...logParts, ...large, said]
    const finished = (await call('GET /job/1/log')).body as { log_parts: { content: string }[] }
    const text = all.map((part) => part.content).join('')
    const whole = [{ number: 0, content: text, final: true }]
    expect(JSON.stringify(finished.log_parts) === JSON.stringify(whole)).toBe(true)
    const ofFinished = (await call('GET /job/1/log_parts')).body as { log_parts: object[] }
    expect(JSON.stringify(ofFinished.log_parts) === JSON.stringify(whole)).toBe(true)
    expect((await call('GET /job/1/log_parts?content=false')).body).toMatchObject({
      log_parts: [{ number: 0, final: true }],
    })
    await db.updateTable('jobs').set({ state: 'started' }).where('id', '=', 1).execute()

    const { status, body } = await call('GET /job/1/log')
    expect(status).toBe(200)
    expect(
      JSON.stringify(body) === JSON.stringify({ ...bodyless(), content: text, log_parts: all }),
    ).toBe(true)
    expect((await raw('GET /v3/job/1/log.txt')).body === text).toBe(true)
    const listed = (await call('GET /job/1/log_parts')).body as { log_parts: object[] }
    expect(listed).toMatchObject({ '@type': 'log_parts', '@representation': 'standard' })
    expect(JSON.stringify(listed.log_parts) === JSON.stringify(all)).toBe(true)
    const { body: short } = await call('GET /job/1/log_parts?content=false')
    expect((short as { log_parts: object[] }).log_parts).toHaveLength(404)
  })

  const bodyless = () => {
    const { content: _content, log_parts: _parts, ...others } = log
    return others
  }
})
