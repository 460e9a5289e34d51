import { expect, test } from 'vitest'
import { CodehostError } from '../../../src/codehost/codehost.ts'
import { acceptDeliveries } from '../../../src/flow/deliveries/deliveries.ts'
import type { Receive } from '../../../src/worker/processor.ts'
import { processDelivery } from '../../../src/worker/processors/process-delivery.ts'
import { testContext } from '../../support/context.ts'
import { testDatabase } from '../../support/database.ts'

const db = await testDatabase()

const webhook = (guid: string) => ({
  ...{ guid, provider: 'codehost' as const, event: 'push', action: null, sealed: false },
  ...{ repository_codehost_id: 1, installation_codehost_id: 2, body: Buffer.from('{}') },
})

/** Stores webhooks, and processes an entry that names them all; the one marked as bad fails. */
async function processAll(guids: readonly string[], bad: string) {
  const ctx = testContext(db)
  const wanted: number[] = []
  await acceptDeliveries(
    { db, enqueueDeliveries: (ids) => void wanted.push(...ids) },
    guids.map(webhook),
  )
  const received: string[] = []
  const receive: Receive = async ({ guid }) => {
    received.push(guid)
    if (guid === bad) throw new Error('it is bad')
    return { result: 'noted', outcome: 'done' }
  }
  const delivery_ids = wanted.toSorted((a, b) => a - b)
  const again = () => processDelivery.process({ delivery_ids }, { ctx, receive })
  await again()
  return { ctx, wanted: delivery_ids, received, again }
}

const states = async () => {
  const rows = await db.selectFrom('deliveries').select(['guid', 'state']).orderBy('id').execute()
  return Object.fromEntries(rows.map(({ guid, state }) => [guid, state]))
}

test('a webhook that fails among others is retried alone, and the others are processed', async () => {
  const { ctx, wanted, again, received } = await processAll(['a', 'b', 'c'], 'b')
  expect(received).toEqual(['a', 'b', 'c'])
  expect(await states()).toEqual({ a: 'processed', b: 'received', c: 'processed' })
  expect(ctx.enqueued).toEqual([
    {
      name: 'delivery.process',
      payload: { delivery_ids: [wanted[1]] },
      // The webhook already waits when the sweep names it together with the others once more.
      options: { once: `alone-${wanted[1]}` },
    },
  ])

  await again()
  expect(received).toEqual(['a', 'b', 'c', 'b'])

  const alone = { delivery_ids: [wanted[1] ?? 0] }
  const receive = () => Promise.reject(new Error('it is bad'))
  await expect(processDelivery.process(alone, { ctx, receive })).rejects.toThrow('it is bad')
  await processDelivery.giveUp?.(alone, { ctx, receive }, new Error('it is bad'))
  expect(await states()).toEqual({ a: 'processed', b: 'failed', c: 'processed' })
})

test('a webhook rejected by a block of the code host gets an outcome with the reason', async () => {
  const { ctx, wanted } = await processAll(['f', 'other'], 'f')
  const receive = () => Promise.reject(new Error('not reached'))
  const refused = new CodehostError('the app is not installed on o/n: install it there', {
    kind: 'refused',
  })
  await processDelivery.giveUp?.({ delivery_ids: wanted.slice(0, 1) }, { ctx, receive }, refused)
  const { outcome } = await db
    .selectFrom('deliveries')
    .select('outcome')
    .where('guid', '=', 'f')
    .executeTakeFirstOrThrow()
  expect(outcome).toBe('the app is not installed on o/n: install it there')
})

test('a processed webhook stays processed, even if another entry with it is given up', async () => {
  const { ctx, wanted } = await processAll(['g'], 'none')
  const receive = () => Promise.reject(new Error('not reached'))
  await processDelivery.giveUp?.({ delivery_ids: wanted }, { ctx, receive }, new Error('killed'))
  expect((await states()).g).toBe('processed')
})

test('each webhook of an entry that is given up is retried alone', async () => {
  const { ctx, wanted } = await processAll(['d', 'e'], 'none')
  const receive = () => Promise.reject(new Error('not reached'))
  await processDelivery.giveUp?.({ delivery_ids: wanted }, { ctx, receive }, new Error('killed'))
  expect(ctx.enqueued.map(({ payload }) => payload)).toEqual(
    wanted.map((id) => ({ delivery_ids: [id] })),
  )
  expect(await states()).toMatchObject({ d: 'processed', e: 'processed' })
})
