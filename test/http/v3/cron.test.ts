import { beforeEach, describe, expect, test } from 'vitest'
import { createServer } from '../../../src/http/server.ts'
import { markBranchGone, putBranch } from '../../../src/store/repositories/branches.ts'
import { noon, testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'
import { audited } from '../v2/roles.ts'
import {
  callerOf,
  forms,
  missing,
  noLogin,
  refusals,
  refused,
  rowCounts,
  webToPushers,
  wrongToken,
} from './roles.ts'
import { wholePage } from './whole-page.ts'

const db = await testDatabase()
const server = await createServer(testContext(db))

let call: Awaited<ReturnType<typeof callerOf>>
beforeEach(async () => {
  call = await callerOf(server, db)
  await putBranch(db, 1, 'feature/a b')
})

const time = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown as string

const shown = (id: number, members: object = {}) => ({
  '@type': 'cron',
  '@href': `/cron/${id}`,
  '@representation': 'standard',
  '@permissions': { read: true, write: true, delete: true, start: true },
  id,
  repository: webToPushers,
  branch: {
    '@type': 'branch',
    '@href': '/repo/1/branch/main',
    '@representation': 'minimal',
    '@permissions': { read: true, write: true },
    name: 'main',
  },
  interval: 'daily',
  dont_run_if_recent_build_exists: false,
  last_run: null,
  next_run: time,
  created_at: time,
  active: true,
  inactive_reason: null,
  start_at: null,
  timezone: 'UTC',
  ...members,
})

const create = (body: object = { interval: 'daily' }, branch = 'main') =>
  call('pusher', `POST /repo/1/branch/${branch}/cron`, body)

describe('cron', () => {
  test('is created for a branch, replaces the former cron, and first runs a minute later', async () => {
    expect(await create()).toEqual([200, shown(1)])
    const body = {
      cron: {
        interval: 'weekly',
        dont_run_if_recent_build_exists: true,
        start_at: '03:30',
        timezone: 'Europe/Berlin',
      },
    }
    expect(await create(body)).toEqual([200, shown(2, body.cron)])
    expect(await rowCounts(db)).toMatchObject({ crons: 1 })
    expect(await audited(db)).toMatchObject([
      { action: 'set_cron', changed: { branch: 'main', interval: 'daily' } },
      { action: 'set_cron', changed: { interval: 'weekly', start_at: '03:30' } },
    ])
    const [, first] = await create({ interval: 'monthly' }, 'feature%2Fa%20b')
    const { created_at, next_run } = first as Record<'created_at' | 'next_run', string>
    expect((Date.parse(next_run) - Date.parse(created_at)) / 1000).toBe(60)
  })

  test('is created once by several calls at the same time, also for a default branch that was never pushed to', async () => {
    await db.deleteFrom('branches').execute()
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 6 }, () => create()))
      expect(answers.map(([status]) => status)).toEqual(Array.from({ length: 6 }, () => 200))
      expect(await rowCounts(db)).toMatchObject({ crons: 1 })
    }
    expect(await create({ interval: 'daily' }, 'x')).toEqual(missing('branch'))
  })

  test.each(forms)('is found by its id, and at %s', async (form) => {
    await create()
    const path = `${form}/branch/main/cron`
    expect(await call('pusher', `GET ${path}`)).toEqual([200, shown(1)])
    expect(await call('pusher', 'GET /cron/1')).toEqual([200, shown(1)])
  })

  test('shows when it ran, and why it is no longer active', async () => {
    await create()
    await db
      .updateTable('crons')
      .set({
        last_run: noon,
        next_run: new Date('2026-01-03T12:00:00Z'),
        created_at: new Date('2026-01-01T12:00:00Z'),
        active: false,
        inactive_reason: 'the branch is gone',
      })
      .execute()
    const body = shown(1, {
      last_run: '2026-01-02T12:00:00Z',
      next_run: '2026-01-03T12:00:00Z',
      created_at: '2026-01-01T12:00:00Z',
      active: false,
      inactive_reason: 'the branch is gone',
    })
    expect(await call('pusher', 'GET /cron/1')).toEqual([200, body])
    expect(await call('pusher', 'GET /repo/1/crons')).toEqual([
      200,
      { '@type': 'crons', ...wholePage('/repo/1/crons', 1), crons: [body] },
    ])
  })

  test('is visible to everyone who can see its repository', async () => {
    await create()
    for (const who of ['reader', 'other', 'no one'] as const) {
      const [status, body] = await call(who, 'GET /cron/1')
      expect([status, body]).toMatchObject([
        200,
        { '@permissions': { read: true, write: false, delete: false, start: true } },
      ])
    }
    await call('pusher', 'POST /repo/2/branch/main/cron', { interval: 'daily' })
    for (const who of ['other', 'no one'] as const) {
      expect(await call(who, 'GET /cron/2')).toEqual(missing('cron'))
      expect(await call(who, 'GET /cron/99')).toEqual(missing('cron'))
      expect(await call(who, 'GET /repo/2/branch/main/cron')).toEqual(missing('repository'))
    }
    expect(await call('wrong', 'GET /cron/1')).toEqual(wrongToken)
  })

  test('is reported missing after its repository and its branch', async () => {
    expect(await call('reader', 'GET /repo/9/branch/x/cron')).toEqual(missing('repository'))
    expect(await call('reader', 'GET /repo/1/branch/x/cron')).toEqual(missing('branch'))
    expect(await call('reader', 'GET /repo/1/branch/main/cron')).toEqual(missing('cron'))
    expect(await call('reader', 'GET /cron/99999999999999999999')).toEqual(missing('cron'))
    expect(await create({ interval: 'daily' }, 'x')).toEqual(missing('branch'))
    expect(await create({ interval: 'daily' }, 'a%00b')).toEqual(missing('branch'))
  })

  test.each([
    [{}, 'interval must be one of daily, weekly, monthly'],
    [{ interval: 'hourly' }, 'interval must be one of daily, weekly, monthly'],
    [{ interval: 'daily', start_at: '24:00' }, 'start_at must be a time of the day like 03:30'],
    [{ interval: 'daily', start_at: '3:30' }, 'start_at must be a time of the day like 03:30'],
    [{ interval: 'daily', timezone: 'Moon' }, 'timezone must be a timezone like Europe/Berlin'],
    [
      { interval: 'daily', dont_run_if_recent_build_exists: 'x' },
      'dont_run_if_recent_build_exists invalid',
    ],
  ])('is not created with %j', async (body, message) => {
    expect(await create(body)).toEqual(
      refused('unprocessable_entity', 422, `validation failed: ${message}`),
    )
    expect(await rowCounts(db)).toMatchObject({ crons: 0, audit_records: 0 })
  })

  test('is not created for a deleted branch', async () => {
    await markBranchGone(db, 1, 'feature/a b')
    expect(await create({ interval: 'daily' }, 'feature%2Fa%20b')).toEqual(
      refused(
        'unprocessable_entity',
        422,
        'validation failed: branch feature/a b no longer exists at the code host',
      ),
    )
  })

  test.each(refusals)('is not created by %s', async (who, ...answers) => {
    const paths = [1, 2, 9].map((id) => `POST /repo/${id}/branch/main/cron?interval=daily`)
    expect(await Promise.all(paths.map((path) => call(who, path)))).toEqual(answers)
    expect(await rowCounts(db)).toMatchObject({ crons: 0, audit_records: 0 })
  })

  test('can be deleted by users with push access', async () => {
    await create()
    expect(await call('no one', 'DELETE /cron/1')).toEqual(noLogin)
    expect(await call('reader', 'DELETE /cron/1')).toMatchObject([
      403,
      { permission: 'write', resource_type: 'cron', cron: { '@representation': 'minimal', id: 1 } },
    ])
    expect(await rowCounts(db)).toMatchObject({ crons: 1 })
    expect(await call('pusher', 'DELETE /cron/1')).toEqual([204, null])
    expect(await call('pusher', 'DELETE /cron/1')).toEqual(missing('cron'))
    expect(await audited(db)).toMatchObject([{}, { action: 'remove_cron', changed: { id: 1 } }])
  })
})

describe('crons', () => {
  test.each(forms)('are listed at %s, in the order of their creation', async (form) => {
    await create({ interval: 'weekly' }, 'feature%2Fa%20b')
    await create()
    const [status, body] = await call('pusher', `GET ${form}/crons`)
    expect([status, body]).toMatchObject([
      200,
      {
        '@type': 'crons',
        '@href': `${form}/crons`,
        '@pagination': { limit: 25, count: 2, is_last: true },
        crons: [{ id: 1, interval: 'weekly', branch: { name: 'feature/a b' } }, shown(2)],
      },
    ])
    expect(await call('no one', `GET ${form}/crons?limit=1&offset=1`)).toMatchObject([
      200,
      { crons: [{ id: 2 }] },
    ])
  })

  test('of a branch deleted before the repository was made public are hidden', async () => {
    await create({ interval: 'weekly' }, 'feature%2Fa%20b')
    await markBranchGone(db, 1, 'feature/a b')
    const path = 'GET /repo/1/crons'
    expect(await call('pusher', path)).toMatchObject([200, { crons: [{ id: 1 }] }])
    expect(await call('pusher', 'GET /cron/1')).toMatchObject([200, { id: 1 }])
    for (const who of ['other', 'no one'] as const) {
      expect(await call(who, path)).toMatchObject([200, { crons: [], '@pagination': { count: 0 } }])
      expect(await call(who, 'GET /cron/1')).toEqual(missing('cron'))
    }
    const made = (branch: string) => call('other', `POST /repo/1/branch/${branch}/cron`, {})
    expect(await made('feature%2Fa%20b')).toEqual(await made('none'))
  })

  test('of a hidden repository are missing', async () => {
    expect(await call('other', 'GET /repo/2/crons')).toEqual(missing('repository'))
    expect(await call('other', 'GET /repo/9/crons')).toEqual(missing('repository'))
  })
})
