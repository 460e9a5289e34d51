import type { DeliveryEnd } from '../domain/delivery.ts'
import { markDeliveryEnded } from '../store/deliveries.ts'
import type { Context } from './context.ts'

/** Records what became of a webhook, in words. */
export function endDelivery({ db }: Context, id: number, end: DeliveryEnd): Promise<void> {
  return markDeliveryEnded(db, id, end)
}
