import { CodehostError } from '../../codehost/codehost.ts'
import { parseStorable } from '../../domain/text/storable-text.ts'
import { endDelivery } from '../../flow/deliveries/deliveries.ts'
import { nameAlone } from '../../flow/deliveries/delivery-enqueuer.ts'
import { Postponed } from '../../queue/work.ts'
import { openBody } from '../../secrets/webhook-body.ts'
import { findDeliveryToProcess } from '../../store/deliveries/deliveries.ts'
import type { Processor, Tools } from '../processor.ts'

/** Passes a stored webhook to the bot, and stores its outcome. */
export const processDelivery: Processor<'delivery.process'> = {
  queue: 'delivery.process',
  role: 'worker',
  here: { after: 0 },
  attempts: 5,
  pause: 2000,
  concurrency: () => 4,

  async process({ delivery_ids }, tools) {
    for (const id of delivery_ids) {
      try {
        await processOne(tools, id)
      } catch (error) {
        if (delivery_ids.length === 1) throw error
        tools.ctx.log.warn({ err: error, delivery: id }, 'a webhook is tried again alone')
        await enqueueAlone(tools, id)
      }
    }
  },

  async giveUp({ delivery_ids }, tools, error) {
    const [id, ...others] = delivery_ids
    // If there are several, the one at fault is unknown, so each gets its own attempts.
    if (others.length > 0) for (const each of delivery_ids) await enqueueAlone(tools, each)
    else if (id !== undefined) {
      await endDelivery(tools.ctx, id, { result: 'error', outcome: reasonOf(error) })
    }
  },
}

/** Other errors may contain private data. */
function reasonOf(error: Error): string {
  return error instanceof CodehostError ? error.message : `internal error: ${error.name}`
}

/** Added once by name: while it waits, the sweep adds it again and again, together with others. */
function enqueueAlone({ ctx }: Tools, id: number): Promise<void> {
  return ctx.enqueue('delivery.process', { delivery_ids: [id] }, { once: nameAlone(id) })
}

async function processOne({ ctx, receive }: Tools, deliveryId: number): Promise<void> {
  const delivery = await findDeliveryToProcess(ctx.db, deliveryId)
  if (delivery?.state !== 'received' || !delivery.body) return
  const { id, guid, provider, event, body, repeats } = delivery
  if (repeats !== null) {
    const same = `duplicate of webhook ${repeats.guid}`
    // The other webhook may fail, and then this one counts.
    if (repeats.state === 'received')
      throw new Postponed(new Error(`${same}, not processed yet`), 2)
    const outcome =
      `${same}: the same event was received before and is processed only once; see that webhook for ` +
      'its result'
    return endDelivery(ctx, id, { result: 'ignored', outcome })
  }
  const payload = parseStorable(await openBody(ctx.sealer, { ...delivery, body }))
  await endDelivery(ctx, id, await receive({ id, guid, provider, event, payload }))
}
