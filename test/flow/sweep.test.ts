import { expect, test } from 'vitest'
import { claimJob } from '../../src/flow/claim-job.ts'
import { sweep } from '../../src/flow/sweep.ts'
import { tidy } from '../../src/flow/tidy.ts'
import { announce } from '../../src/store/outbox.ts'
import { storeDeliveries } from '../../src/store/deliveries.ts'
import { findJob } from '../../src/store/jobs.ts'
import { noon, testContext } from '../support/context.ts'
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

test('enqueues every row again whose entry was lost', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery], noon)
  const request = await make.request({ state: 'created', result: null, finished_at: null })
  const waiting = await make.job()
  const queued = await make.job({ state: 'queued', queued_at: noon })
  await announce(db, 'status:build', 'status:1', { build_id: 1, state: 'created' })
  await db.updateTable('outbox').set({ created_at: noon }).execute()
  ctx.pass(61)

  await sweep(ctx)

  const { owner_id, owner_type } = waiting
  expect(ctx.enqueued.map(({ name, payload }) => [name, payload])).toEqual([
    ['delivery.process', { delivery_id: 1 }],
    ['request.accept', { request_id: request.id }],
    ['jobs.schedule', { owner_id, owner_type }],
    ['job.run', { job_id: queued.id }],
    ['outbox.publish', { stream: 'status:1' }],
  ])
})

test('skips what was updated a moment ago, except when the service starts', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery], noon)
  ctx.pass(30)
  await sweep(ctx)
  expect(ctx.enqueued).toEqual([])
  await sweep(ctx, 0)
  expect(ctx.enqueued).toHaveLength(1)
})

test('reclaims a job whose lease was not renewed for a minute', async () => {
  const ctx = testContext(db)
  const { id } = await make.job({ state: 'queued' })
  await claimJob(ctx, id, 'runner')
  ctx.pass(60)
  await sweep(ctx)
  expect(await findJob(db, id)).toMatchObject({ state: 'received' })
  ctx.pass(1)
  await sweep(ctx)
  expect(await findJob(db, id)).toMatchObject({ state: 'created', resets: 1 })
})

test('enqueues nothing that is finished', async () => {
  const ctx = testContext(db)
  await make.job({ state: 'passed' })
  ctx.pass(3600)
  await sweep(ctx)
  expect(ctx.enqueued).toEqual([])
})

test('drops the bodies of webhooks seven days after they were processed', async () => {
  const ctx = testContext(db)
  await storeDeliveries(db, [delivery], noon)
  await db.updateTable('deliveries').set({ state: 'processed', processed_at: noon }).execute()
  const bodies = () => db.selectFrom('deliveries').select('body').execute()
  ctx.pass(7 * 24 * 3600)
  await tidy(ctx)
  expect(await bodies()).toEqual([{ body: delivery.body }])
  ctx.pass(1)
  await tidy(ctx)
  expect(await bodies()).toEqual([{ body: null }])
})
