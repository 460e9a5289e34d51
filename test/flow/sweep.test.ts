import { expect, test } from 'vitest'
import { endDelivery } from '../../src/flow/deliveries/deliveries.ts'
import { claimJob, renewClaim } from '../../src/flow/jobs/claim-job.ts'
import { sweep, sweepAgain, sweepSeconds, tidy } from '../../src/flow/upkeep/sweep.ts'
import { storeDeliveries } from '../../src/store/deliveries/deliveries.ts'
import { requestSync } from '../../src/store/installations/installation-syncs.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { announce } from '../../src/store/outbox/outbox.ts'
import { beginUserSync } from '../../src/store/people/user-syncs.ts'
import { age } from '../support/age.ts'
import { testContext } from '../support/context.ts'
import { testDatabase } from '../support/database.ts'
import { factories } from '../support/factories.ts'

const db = await testDatabase()
const make = factories(db)

const delivery = {
  guid: 'g',
  provider: 'codehost' as const,
  event: 'push',
  action: null,
  repository_codehost_id: 1,
  installation_codehost_id: null,
  sealed: false,
  body: Buffer.from('{}'),
}

test('enqueues every row whose entry was lost', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery])
  await requestSync(db, 77)
  const user = await make.user()
  await beginUserSync(db, user.id)
  const request = await make.request({ state: 'created', result: null, finished_at: null })
  const waiting = await make.job()
  const queued = await make.job({ state: 'queued', queued_at: new Date() })
  await announce(db, [
    {
      kind: 'check:config',
      stream: 'status:1',
      payload: { repository_id: 1, sha: 'a'.repeat(40) },
    },
  ])
  await age(db, 31)

  await sweep(ctx)

  const { owner_id, owner_type } = waiting
  expect(ctx.enqueued.map(({ name, payload }) => [name, payload])).toEqual([
    ['delivery.process', { delivery_ids: [1] }],
    ['installation.sync', { installation: 77 }],
    ['user.sync', { user_id: user.id }],
    ['request.accept', { request_id: request.id }],
    ['jobs.schedule', { owner_id, owner_type }],
    ['job.run', { job_id: queued.id }],
    ['outbox.publish', { stream: 'status:1' }],
  ])
})

test('a webhook that is retried alone, after pauses, does not hold up others of its range', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery])
  await age(db, 31)
  await sweep(ctx)
  await storeDeliveries(db, [{ ...delivery, guid: 'h' }])
  await age(db, 31)
  await sweep(ctx)
  const [alone, together] = ctx.enqueued.filter(({ name }) => name === 'delivery.process')
  expect(alone).toMatchObject({ options: { once: 'alone-1' } })
  expect(together).toMatchObject({
    payload: { delivery_ids: [1, 2] },
    options: { once: 'sweep-0' },
  })
})

test('enqueues all waiting rows, however many, and again the same ones while they wait', async () => {
  const ctx = testContext(db)
  const guids = Array.from({ length: 2100 }, (_, index) => `g${index}`)
  const [first = 0, ...others] = await Promise.all(
    [0, 1, 2].map(async (part) => {
      const some = guids.slice(part * 700, (part + 1) * 700)
      const stored = await storeDeliveries(
        db,
        some.map((guid) => ({ ...delivery, guid })),
      )
      return [...stored.values()]
    }),
  ).then((all) => all.flat().toSorted((a, b) => a - b))
  await age(db, 31)
  await sweep(ctx)
  const named = () =>
    ctx.enqueued.flatMap(({ name, payload, options }) =>
      name === 'delivery.process' && 'delivery_ids' in payload
        ? [{ ids: payload.delivery_ids, once: options?.once }]
        : [],
    )
  expect(named().flatMap(({ ids }) => ids)).toEqual([first, ...others])
  const before = new Set(named().map(({ once }) => once))

  await endDelivery(ctx, first, { result: 'noted', outcome: 'done' })
  ctx.enqueued.length = 0
  await sweep(ctx)
  expect(named().flatMap(({ ids }) => ids)).toEqual(others)
  expect(new Set(named().map(({ once }) => once))).toEqual(before)
})

test('skips rows updated a moment ago, except when the service starts', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery])
  // As if the delivery came from the near future, because this test may be slow.
  await age(db, -60)
  await sweep(ctx)
  expect(ctx.enqueued).toEqual([])
  await age(db, 60)
  await sweep(ctx, 0)
  expect(ctx.enqueued).toHaveLength(1)
})

test('reclaims a job whose lease was not renewed for a minute', async () => {
  const ctx = testContext(db)
  const { id } = await make.job({ state: 'queued' })
  await claimJob(ctx, id, 'runner')
  await age(db, 30)
  await sweepAgain(ctx, sweepSeconds)
  expect(await findJob(db, id)).toMatchObject({ state: 'received' })
  await age(db, 31)
  await sweepAgain(ctx, sweepSeconds)
  expect(await findJob(db, id)).toMatchObject({ state: 'created' })
})

test('reclaims nothing just after an outage that prevented renewals', async () => {
  const ctx = testContext(db)
  const { id } = await make.job({ state: 'queued' })
  const job = await claimJob(ctx, id, 'runner')
  await age(db, 300)
  for (const after of [null, 300]) {
    await sweepAgain(ctx, after)
    expect(await findJob(db, id)).toMatchObject({ state: 'received' })
  }
  expect(await renewClaim(ctx, { job_id: id, attempt: job?.attempt ?? 0 })).toBe(true)
  await sweepAgain(ctx, sweepSeconds)
  expect(await findJob(db, id)).toMatchObject({ state: 'received' })
})

test('enqueues no finished rows', async () => {
  const ctx = testContext(db)
  await make.job({ state: 'passed' })
  await age(db, 3600)
  await sweep(ctx)
  expect(ctx.enqueued).toEqual([])
})

test('drops the secrets of a repository thirty days after it was deleted', async () => {
  const ctx = testContext(db)
  const [kept, deleted] = [await make.repository(), await make.repository({ name: 'gone' })]
  for (const { id } of [kept, deleted]) {
    const repository_id = id
    const sealed = { repository_id, sealed_value: 'sealed' }
    await db
      .insertInto('env_vars')
      .values({ ...sealed, name: 'A', branch: null })
      .execute()
    await db
      .insertInto('ssh_keys')
      .values({ ...sealed, fingerprint: null, public_key: null })
      .execute()
    const pair = { public_key: 'public', fingerprint: '00', sealed_private_key: 'sealed' }
    await db
      .insertInto('key_pairs')
      .values({ repository_id, ...pair })
      .execute()
  }
  await db
    .updateTable('repositories')
    .set({ deleted_at: new Date() })
    .where('id', '=', deleted.id)
    .execute()
  const left = async () => {
    const tables = ['env_vars', 'ssh_keys', 'key_pairs'] as const
    const rows = await Promise.all(
      tables.map((table) =>
        db.selectFrom(table).select('repository_id').orderBy('repository_id').execute(),
      ),
    )
    return rows.map((each) => each.map(({ repository_id }) => repository_id))
  }
  const both = [kept.id, deleted.id]
  await age(db, 30 * 24 * 3600 - 60)
  await tidy(ctx)
  expect(await left()).toEqual([both, both, both])
  await age(db, 61)
  await tidy(ctx)
  expect(await left()).toEqual([[kept.id], [kept.id], [kept.id]])
})

test('drops the bodies of webhooks seven days after they were processed', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery])
  const ended = { state: 'processed', processed_at: new Date() } as const
  await db.updateTable('deliveries').set(ended).execute()
  const bodies = () => db.selectFrom('deliveries').select('body').execute()
  await age(db, 7 * 24 * 3600 - 60)
  await tidy(ctx)
  expect(await bodies()).toEqual([{ body: delivery.body }])
  await age(db, 61)
  await tidy(ctx)
  expect(await bodies()).toEqual([{ body: null }])
})
