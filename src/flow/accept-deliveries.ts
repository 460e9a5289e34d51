import type { EnqueueAll } from '../queue/queues.ts'
import { type NewDelivery, storeDeliveries } from '../store/deliveries.ts'
import type { Context } from './context.ts'

/**
 * Stores webhooks and enqueues their processing. Returns for each whether it will be processed: a
 * repeat of one that was, or will be, is not (WH-11). Once this returns, none of them can be lost.
 */
export async function acceptDeliveries(
  ctx: Context & { enqueueAll: EnqueueAll },
  deliveries: readonly NewDelivery[],
): Promise<boolean[]> {
  const unique = new Map(deliveries.map((delivery) => [delivery.guid, delivery]))
  const ids = await storeDeliveries(ctx.db, [...unique.values()])
  const payloads = [...ids.values()].map((delivery_id) => ({ delivery_id }))
  // Not awaited: the rows are stored, and the sweep enqueues those whose entry is lost here.
  ctx.enqueueAll('delivery.process', payloads).catch((error: unknown) => {
    ctx.log.warn({ err: error, deliveries: payloads.length }, 'entries of webhooks were not added')
  })
  return deliveries.map(({ guid }) => ids.has(guid))
}
