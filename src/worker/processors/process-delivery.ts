import type { Delivery } from '../../domain/delivery.ts'
import { parseStorable } from '../../domain/storable-text.ts'
import type { Context } from '../../flow/context.ts'
import { endDelivery } from '../../flow/end-delivery.ts'
import { findDelivery } from '../../store/deliveries.ts'
import type { Processor } from '../processor.ts'

/** Passes a stored webhook to the bot, and stores its outcome. */
export const processDelivery: Processor<'delivery.process'> = {
  queue: 'delivery.process',
  role: 'worker',
  attempts: 5,
  pause: 2000,
  concurrency: () => 4,

  async process({ delivery_id }, { ctx, receive }) {
    const delivery = await findDelivery(ctx.db, delivery_id)
    if (delivery?.state !== 'received' || !delivery.body) return
    const { id, guid, provider, event } = delivery
    const payload = parseStorable(bodyOf(ctx, delivery, delivery.body))
    await endDelivery(ctx, id, await receive({ id, guid, provider, event, payload }))
  },

  async giveUp({ delivery_id }, { ctx }, error) {
    const outcome = `internal error: ${error.name}`
    await endDelivery(ctx, delivery_id, { result: 'error', outcome })
  },
}

function bodyOf({ sealer }: Context, { guid, sealed }: Delivery, body: Buffer): string {
  const plain = sealed ? sealer.open({ type: 'delivery', id: guid }, body) : body
  return plain.toString('utf8')
}
