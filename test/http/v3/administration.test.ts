import { beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/domain/owner.ts'
import { createServer } from '../../../src/http/server.ts'
import { insertAuditRecord } from '../../../src/store/audit-records.ts'
import { markStopped, registerRunner, setProblem } from '../../../src/store/runners.ts'
import { putUser } from '../../../src/store/users.ts'
import { v3Client } from '../../support/client.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'

const db = await testDatabase()
const make = factories(db)
const ctx = testContext(db)
const site = { ...ctx.site, admins: ['local:local', 'codehost:root'] }
const call = v3Client(await createServer({ ...ctx, site }))

let root: User & { token: string }
let anna: User & { token: string }
beforeEach(async () => {
  ctx.enqueued.length = 0
  root = await make.user('Root')
  anna = await make.user('anna')
})

const lists = ['deliveries', 'runners', 'queues', 'audit_records']

const missing = (type: string) => ({
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: `${type} not found (or insufficient access)`,
    resource_type: type,
  },
})

const reading = { read: true, write: true }

const pageOf = (path: string) => ({
  '@href': path,
  '@representation': 'standard',
  '@pagination': {
    limit: 25,
    offset: 0,
    count: 1,
    is_first: true,
    is_last: true,
    next: null,
    prev: null,
    first: { '@href': path, offset: 0, limit: 25 },
    last: { '@href': path, offset: 0, limit: 25 },
  },
})

describe.each(lists)('GET /%s', (type) => {
  test('is for administrators, of the code host and of this machine', async () => {
    const local = await putUser(db, { provider: 'local', codehost_id: 1, login: 'local' })
    for (const token of [root.token, await make.token(local)]) {
      expect(await call(`GET /${type}`, { token })).toMatchObject({
        status: 200,
        body: { '@type': type, '@representation': 'standard' },
      })
    }
  })

  test('looks to others as if there were none', async () => {
    expect(await call(`GET /${type}`, anna)).toEqual(missing(type))
    const other = await putUser(db, { provider: 'local', codehost_id: 2, login: 'root' })
    expect(await call(`GET /${type}`, { token: await make.token(other) })).toEqual(missing(type))
  })

  test('needs a login, and a token for it', async () => {
    expect(await call(`GET /${type}`)).toMatchObject({ body: { error_type: 'login_required' } })
    const token = await make.token(root, ['public', 'private', 'read', 'builds', 'settings'])
    expect(await call(`GET /${type}`, { token })).toMatchObject({
      status: 403,
      body: { error_type: 'insufficient_access', permission: 'admin' },
    })
  })
})

describe('deliveries', () => {
  test('are shown with what they led to, and without their payloads', async () => {
    const web = await make.repository({ owner_name: 'acme', name: 'web', codehost_id: 7 })
    const { id, guid } = await make.delivery({
      guid: 'guid/1',
      repository_codehost_id: 7,
      state: 'processed',
      result: 'request',
      outcome: 'request 1',
      attempts: 1,
      received_at: noon,
      processed_at: noon,
    })
    const build = await make.build({ repository: web })
    await db
      .updateTable('requests')
      .set({ delivery_id: id })
      .where('id', '=', build.request_id)
      .execute()
    const shown = {
      '@type': 'delivery',
      '@href': '/delivery/guid%2F1',
      '@representation': 'standard',
      '@permissions': reading,
      id,
      guid,
      event: 'push',
      action: null,
      provider: 'codehost',
      repository: {
        '@type': 'repository',
        '@href': `/repo/${web.id}`,
        '@representation': 'minimal',
        '@permissions': expect.objectContaining({
          read: true,
          write: false,
          admin: false,
        }) as object,
        id: web.id,
        name: 'web',
        slug: 'acme/web',
      },
      repository_codehost_id: 7,
      outcome: 'request',
      message: 'request 1',
      attempts: 1,
      received_at: '2026-01-02T12:00:00Z',
      processed_at: '2026-01-02T12:00:00Z',
      kept: true,
      request_id: build.request_id,
      build_id: build.id,
    }
    expect(await call('GET /delivery/guid%2F1', root)).toEqual({ status: 200, body: shown })
    expect(await call('GET /deliveries', root)).toEqual({
      status: 200,
      body: { '@type': 'deliveries', ...pageOf('/deliveries'), deliveries: [shown] },
    })
  })

  test('do not name a repository that the administrator cannot see', async () => {
    await make.repository({ owner_name: 'acme', name: 'safe', codehost_id: 8, private: true })
    await make.delivery({ guid: 'g', repository_codehost_id: 8 })
    const { body } = await call('GET /delivery/g', root)
    expect(body).toMatchObject({ repository: null, repository_codehost_id: 8, outcome: 'waiting' })
    expect(JSON.stringify(body)).not.toContain('safe')
    expect(await call('GET /repo/acme%2Fsafe', root)).toMatchObject({ status: 404 })
  })

  const guids = async (query: string) => {
    const { body } = await call(`GET /deliveries${query}`, root)
    return (body as { deliveries: { guid: string }[] }).deliveries.map(({ guid }) => guid)
  }

  test('are filtered, the newest first', async () => {
    await make.repository({ owner_name: 'acme', name: 'web', codehost_id: 7 })
    await make.delivery({ guid: 'a', result: 'error', state: 'failed' })
    const { id } = await make.delivery({ guid: 'b', repository_codehost_id: 7 })
    await make.delivery({ guid: 'c', event: 'pull_request', result: 'noted', state: 'processed' })
    expect(await guids('')).toEqual(['c', 'b', 'a'])
    expect(await guids('?limit=1&offset=1')).toEqual(['b'])
    expect(await guids('?outcome=error,noted')).toEqual(['c', 'a'])
    expect(await guids('?delivery.outcome=waiting')).toEqual(['b'])
    expect(await guids('?event=push')).toEqual(['b', 'a'])
    expect(await guids('?repository.slug=Acme/Web')).toEqual(['b'])
    expect(await guids('?event=%00')).toEqual([])
    expect(await guids(`?before=${id}`)).toEqual(['a'])
    expect(await call('GET /deliveries?before=x', root)).toMatchObject({
      status: 400,
      body: { error_type: 'wrong_params' },
    })
  })

  test.each(['none', '%00', '99999999999999999999'])('know no %s', async (guid) => {
    expect(await call(`GET /delivery/${guid}`, root)).toEqual(missing('delivery'))
    expect(await call(`POST /delivery/${guid}/replay`, root)).toEqual(missing('delivery'))
  })

  test('that are there look to others as if they were not', async () => {
    await make.delivery({ guid: 'g' })
    for (const asked of ['GET /delivery/g', 'POST /delivery/g/replay']) {
      expect(await call(asked, anna)).toEqual(missing('delivery'))
      expect(await call(asked)).toMatchObject({ status: 403 })
    }
    expect(ctx.enqueued).toEqual([])
  })
})

describe('POST /delivery/{guid}/replay', () => {
  const stored = (id: number) =>
    db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('has it processed again', async () => {
    const { id } = await make.delivery({
      guid: 'g',
      state: 'processed',
      result: 'ignored',
      outcome: 'nothing to do',
      processed_at: noon,
    })
    expect(await call('POST /delivery/g/replay', root)).toEqual({
      status: 202,
      body: {
        '@type': 'pending',
        delivery: {
          '@type': 'delivery',
          '@href': '/delivery/g',
          '@representation': 'minimal',
          '@permissions': reading,
          id,
          guid: 'g',
          event: 'push',
          action: null,
        },
        state_change: 'replay',
        resource_type: 'delivery',
      },
    })
    expect(await stored(id)).toMatchObject({ state: 'received', result: null, outcome: null })
    expect(ctx.enqueued).toEqual([{ name: 'delivery.process', payload: { delivery_ids: [id] } }])
    expect(await db.selectFrom('audit_records').selectAll().execute()).toMatchObject([
      { actor: 'Root', action: 'replay', subject_type: 'delivery', subject_id: id },
    ])
  })

  test('is refused while it waits, and when its body is dropped', async () => {
    await make.delivery({ guid: 'waiting' })
    await make.delivery({ guid: 'dropped', state: 'processed', result: 'noted', body: null })
    for (const guid of ['waiting', 'dropped']) {
      expect(await call(`POST /delivery/${guid}/replay`, root)).toMatchObject({
        status: 422,
        body: { error_type: 'unprocessable_entity' },
      })
    }
    expect(ctx.enqueued).toEqual([])
    expect(await db.selectFrom('audit_records').selectAll().execute()).toEqual([])
  })
})

test('runners are shown with what they do', async () => {
  const runner = { executor: 'process', isolation: 'sandbox', slots: 2, version: '1.0.0' }
  await registerRunner(db, { id: 'gone', host: 'there', ...runner })
  await markStopped(db, 'gone')
  await registerRunner(db, { id: 'here', host: 'here', ...runner })
  await setProblem(db, 'here', 'the disk is full')
  const { id: job_id } = await make.job({ state: 'started' })
  const times = { claimed_at: noon, renewed_at: noon }
  await db
    .insertInto('leases')
    .values({ job_id, attempt: 1, runner_id: 'here', ...times })
    .execute()
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string
  const { body } = await call('GET /runners', root)
  expect(body).toMatchObject({ '@pagination': { count: 2, limit: 25 } })
  expect((body as { runners: unknown }).runners).toEqual([
    {
      '@type': 'runner',
      '@representation': 'standard',
      '@permissions': reading,
      id: 'here',
      host: 'here',
      ...runner,
      jobs: 1,
      alive: true,
      problem: 'the disk is full',
      started_at: time,
      heartbeat_at: time,
      stopped_at: null,
    },
    expect.objectContaining({ id: 'gone', alive: false, jobs: 0, stopped_at: time }),
  ])
})

test('queues are shown with the number of their entries', async () => {
  const { body } = await call('GET /queues', root)
  expect(body).toMatchObject({ '@type': 'queues', '@href': '/queues' })
  const [first, ...others] = (body as { queues: { name: string }[] }).queues
  expect(first).toEqual({
    '@type': 'queue',
    '@representation': 'standard',
    '@permissions': reading,
    name: 'delivery.process',
    waiting: 1,
    delayed: 0,
    active: 2,
    failed: 0,
  })
  expect(others.map(({ name }) => name)).toContain('job.run')
})

describe('audit records', () => {
  const record = (actor: string, action: string, subject_id: number) =>
    insertAuditRecord(db, {
      actor_id: anna.id,
      actor,
      action,
      subject_type: 'build',
      subject_id,
      details: { token_id: 3, address: '10.0.0.1', changed: { name: 'A' } },
      created_at: noon,
    })

  const subjects = async (query: string) => {
    const { body } = await call(`GET /audit_records${query}`, root)
    return (body as { audit_records: { subject_id: number }[] }).audit_records.map(
      ({ subject_id }) => subject_id,
    )
  }

  test('say who changed what', async () => {
    await record('anna', 'cancel', 5)
    expect(await call('GET /audit_records', root)).toEqual({
      status: 200,
      body: {
        '@type': 'audit_records',
        ...pageOf('/audit_records'),
        audit_records: [
          {
            '@type': 'audit_record',
            '@representation': 'standard',
            '@permissions': reading,
            id: expect.any(Number) as number,
            actor: 'anna',
            action: 'cancel',
            subject_type: 'build',
            subject_id: 5,
            actor_id: anna.id,
            token_id: 3,
            address: '10.0.0.1',
            changed: { name: 'A' },
            created_at: '2026-01-02T12:00:00Z',
          },
        ],
      },
    })
  })

  test('are filtered, the newest first', async () => {
    await record('anna', 'cancel', 5)
    await record('bert', 'cancel', 6)
    await record('anna', 'restart', 7)
    expect(await subjects('')).toEqual([7, 6, 5])
    expect(await subjects('?actor=anna')).toEqual([7, 5])
    expect(await subjects('?audit_record.action=cancel')).toEqual([6, 5])
    expect(await subjects('?subject_type=build&subject_id=6')).toEqual([6])
    expect(await subjects('?subject_type=job')).toEqual([])
    expect(await subjects('?actor=%00')).toEqual([])
    expect(await subjects('?limit=1&offset=1')).toEqual([6])
    const [{ id } = { id: 0 }] = await db
      .selectFrom('audit_records')
      .select('id')
      .where('subject_id', '=', 7)
      .execute()
    expect(await subjects(`?before=${id}`)).toEqual([6, 5])
    expect(await call('GET /audit_records?subject_id=x', root)).toMatchObject({ status: 400 })
  })
})
