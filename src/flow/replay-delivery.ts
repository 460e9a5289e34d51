import type { Actor } from '../domain/audit.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Delivery } from '../domain/delivery.ts'
import { reopenDelivery } from '../store/deliveries.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import { transact } from './transact.ts'

/**
 * Has a webhook processed again. Where it led to a request, that one stays the only one (WH-11).
 * Throws while it waits anyway, and once its body is dropped.
 */
export function replayDelivery(
  ctx: Context,
  { id, guid }: Pick<Delivery, 'id' | 'guid'>,
  actor: Actor,
): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await reopenDelivery(tx.db, id))) {
      const message = 'the webhook waits to be processed, or its body is not kept any more'
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
