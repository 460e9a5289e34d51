import { type NewDelivery, storeDeliveries } from '../store/deliveries.ts'
import type { Context } from './context.ts'
import type { DeliveryEnqueuer } from './delivery-enqueuer.ts'

/**
 * Stores webhooks and enqueues their processing. Returns for each whether it will be processed: a
 * repeat of one that was, or will be, is not (WH-11). Once this returns, none of them can be lost.
 */
export async function acceptDeliveries(
  { db, enqueueDeliveries }: Pick<Context, 'db'> & { enqueueDeliveries: DeliveryEnqueuer },
  deliveries: readonly NewDelivery[],
): Promise<boolean[]> {
  const unique = new Map(deliveries.map((delivery) => [delivery.guid, delivery]))
  const ids = await storeDeliveries(db, [...unique.values()])
  if (ids.size > 0) enqueueDeliveries([...ids.values()])
  return deliveries.map(({ guid }) => ids.has(guid))
}
