import { beforeEach, describe, expect, test } from 'vitest'
import type { Build } from '../../../src/domain/build.ts'
import type { User } from '../../../src/domain/owner.ts'
import type { Repository } from '../../../src/domain/repository.ts'
import { publishOutbox } from '../../../src/flow/statuses/publish-outbox.ts'
import { createServer } from '../../../src/http/server.ts'
import { v3Client } from '../../support/client.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { factories } from '../../support/factories.ts'
import { memoryNotifier } from '../../support/memory-notifier.ts'
import { pushing } from './scene.ts'
import { wholePage } from './whole-page.ts'

const db = await testDatabase()
const make = factories(db)
const notifier = memoryNotifier()
const ctx = { ...testContext(db), notifier }
const call = v3Client(await createServer(ctx))

let admin: User & { token: string }
let pusher: User & { token: string }
let repository: Repository
let build: Build

beforeEach(async () => {
  ctx.enqueued.length = 0
  notifier.posted.length = 0
  repository = await make.repository()
  build = await make.build({ repository })
  admin = await make.user('admin')
  pusher = await make.user('pusher')
  await make.permission(admin, repository, 'admin')
  await make.permission(pusher, repository, 'push')
})

const missing = {
  status: 404,
  body: {
    '@type': 'error',
    error_type: 'not_found',
    error_message: 'notification not found (or insufficient access)',
    resource_type: 'notification',
  },
}

const minimalOf = ({ id, guid }: { id: number; guid: string }) => ({
  '@type': 'notification',
  '@href': `/notification/${id}`,
  '@representation': 'minimal',
  '@permissions': { read: true, write: true },
  id,
  guid,
  kind: 'slack',
  event: 'passed',
})

const shownOf = (found: { id: number; guid: string }) => ({
  ...minimalOf(found),
  '@representation': 'standard',
  target: 'chat.example.org#builds',
  created_at: '2026-01-02T12:00:00Z',
  build_id: build.id,
  repository: {
    '@type': 'repository',
    '@href': `/repo/${repository.id}`,
    '@representation': 'minimal',
    '@permissions': { ...pushing, admin: true },
    id: repository.id,
    name: 'hello',
    slug: 'octavia/hello',
  },
})

describe('GET /notification/{id}', () => {
  test('shows an admin of the repository the outcome, but not the content', async () => {
    const found = await make.notification(build, { message: 'accepted' })
    expect(await call(`GET /notification/${found.id}`, admin)).toEqual({
      status: 200,
      body: {
        ...shownOf(found),
        outcome: 'sent',
        message: 'accepted',
        attempts: 1,
        response_status: 200,
        sent_at: '2026-01-02T12:00:00Z',
      },
    })
  })

  test('shows a notification that has not been tried yet', async () => {
    const found = await make.notification(build, {
      state: 'waiting',
      attempts: 0,
      response_status: null,
      sent_at: null,
    })
    expect(await call(`GET /notification/${found.id}`, admin)).toEqual({
      status: 200,
      body: {
        ...shownOf(found),
        outcome: 'waiting',
        message: null,
        attempts: 0,
        response_status: null,
        sent_at: null,
      },
    })
  })

  test('is hidden from users without admin rights', async () => {
    const { id } = await make.notification(build)
    expect(await call(`GET /notification/${id}`, pusher)).toEqual(missing)
    expect(await call(`POST /notification/${id}/resend`, pusher)).toEqual(missing)
    expect(await call('GET /notification/99', admin)).toEqual(missing)
    expect(await call(`GET /repo/${repository.id}/notifications`, pusher)).toMatchObject({
      status: 403,
      body: { error_type: 'insufficient_access', permission: 'admin' },
    })
  })

  test('is hidden from an admin of another repository', async () => {
    const other = await make.repository({ name: 'other' })
    const { id } = await make.notification(await make.build({ repository: other }))
    expect(await call(`GET /notification/${id}`, admin)).toEqual(missing)
    expect(await call(`POST /notification/${id}/resend`, admin)).toEqual(missing)
  })
})

describe('GET /repo/{id}/notifications', () => {
  test('returns a page of notifications', async () => {
    const found = await make.notification(build)
    const path = `/repo/${repository.id}/notifications`
    const { body: shown } = await call(`GET /notification/${found.id}`, admin)
    expect(await call(`GET ${path}`, admin)).toEqual({
      status: 200,
      body: { '@type': 'notifications', ...wholePage(path, 1), notifications: [shown] },
    })
  })

  test('lists notifications newest first, and filters by build, kind and outcome', async () => {
    const first = await make.notification(build)
    const second = await make.notification(build, { kind: 'webhook', state: 'failed' })
    const later = await make.build({ repository })
    const third = await make.notification(later)
    const ids = async (query = '') => {
      const { status, body } = await call(`GET /repo/${repository.id}/notifications${query}`, admin)
      expect(status).toBe(200)
      return (body as { notifications: { id: number }[] }).notifications.map(({ id }) => id)
    }
    expect(await ids()).toEqual([third.id, second.id, first.id])
    expect(await ids('?limit=1&offset=1')).toEqual([second.id])
    expect(await ids('?notification.kind=webhook')).toEqual([second.id])
    expect(await ids('?notification.outcome=sent')).toEqual([third.id, first.id])
    expect(await ids(`?build_id=${build.id}`)).toEqual([second.id, first.id])
  })
})

describe('POST /notification/{id}/resend', () => {
  test('sends the same notification again, and leaves an audit record', async () => {
    const found = await make.notification(build, { state: 'failed', message: 'no' })
    expect(await call(`POST /notification/${found.id}/resend`, admin)).toEqual({
      status: 202,
      body: {
        '@type': 'pending',
        notification: minimalOf(found),
        state_change: 'resend',
        resource_type: 'notification',
      },
    })
    expect(ctx.enqueued).toEqual([
      { name: 'notification.publish', payload: { stream: found.stream } },
    ])
    await publishOutbox(ctx, found.stream ?? '')
    expect(notifier.posted).toMatchObject([{ url: 'https://chat.example.org/', body: '{}' }])
    expect(await call(`GET /notification/${found.id}`, admin)).toMatchObject({
      body: { outcome: 'sent', message: null, attempts: 2 },
    })
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toMatchObject([
      { actor: 'admin', action: 'resend', subject_type: 'notification', subject_id: found.id },
    ])
  })

  test('refuses a waiting or skipped notification', async () => {
    const waiting = await make.notification(build, { state: 'waiting' })
    const nothing = { stream: null, sealed_content: null }
    const skipped = await make.notification(build, { state: 'skipped', ...nothing })
    for (const { id } of [waiting, skipped]) {
      expect(await call(`POST /notification/${id}/resend`, admin)).toMatchObject({
        status: 422,
        body: { error_type: 'unprocessable_entity' },
      })
    }
    expect(ctx.enqueued).toEqual([])
    expect(await db.selectFrom('audit_records').selectAll().orderBy('id').execute()).toEqual([])
  })
})
