import type { Actor } from '../../domain/audit.ts'
import type { DeliveryEnd, Delivery } from '../../domain/delivery.ts'
import { ServiceError } from '../../domain/errors.ts'
import {
  type NewDelivery,
  storeDeliveries,
  markDeliveryEnded,
  reopenDelivery,
} from '../../store/deliveries/deliveries.ts'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { transact } from '../transact.ts'
import type { DeliveryEnqueuer } from './delivery-enqueuer.ts'

/**
 * Stores webhooks and enqueues their processing. Returns for each webhook whether it will be processed, which
 * is false for a repeat of an earlier one (WH-11). Once this function returns, no webhook can be lost.
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

/** Records the outcome of a webhook, in words. */
export function endDelivery({ db }: Context, id: number, end: DeliveryEnd): Promise<void> {
  return markDeliveryEnded(db, id, end)
}

/**
 * Processes a webhook again. If it led to a request, that stays its only request (WH-11). Throws if the
 * webhook still waits to be processed, or its body has been deleted.
 */
export function replayDelivery(
  ctx: Context,
  { id, guid }: Pick<Delivery, 'id' | 'guid'>,
  actor: Actor,
): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await reopenDelivery(tx.db, id))) {
      const message = 'the webhook is still waiting to be processed, or its body has been deleted'
      throw new ServiceError('unprocessable_entity', message)
    }
    await audit(tx, actor, {
      action: 'replay',
      subject_type: 'delivery',
      subject_id: id,
      changed: { guid },
    })
    tx.follow('delivery.process', { delivery_ids: [id] })
  })
}
