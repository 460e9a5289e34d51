import { setTimeout } from 'node:timers/promises'
import type { Context } from '../context.ts'

/** Maximum number of webhooks that one queue entry names. */
export const mostInEntry = 256

/** The name of a queue entry that retries a single webhook. */
export const nameAlone = (id: number) => `alone-${id}`

/** Maximum number of webhooks that wait for an entry; further ones are left to the sweep. */
const mostWaiting = 100 * mostInEntry

/** Enqueues the processing of stored webhooks. Returns without waiting. */
export type DeliveryEnqueuer = (ids: readonly number[]) => void

/** Milliseconds from one entry to the next. */
const gap = 20

const pauseForGap = () => setTimeout(gap, undefined, { ref: false })

/**
 * Adds an entry immediately, and after a pause another one for the webhooks stored in the meantime, because
 * under load entries cost more than rows. The caller does not wait: the sweep enqueues webhooks whose entry
 * is lost here.
 */
export function createDeliveryEnqueuer(
  { enqueue, log }: Pick<Context, 'enqueue' | 'log'>,
  pause: () => Promise<unknown> = pauseForGap,
): DeliveryEnqueuer {
  let waiting: number[] = []
  let adding = false

  async function addEntries(): Promise<void> {
    adding = true
    while (waiting.length > 0) {
      const delivery_ids = waiting.slice(0, mostInEntry)
      waiting = waiting.slice(mostInEntry)
      await enqueue('delivery.process', { delivery_ids }).catch((error: unknown) => {
        log.warn({ err: error, deliveries: delivery_ids.length }, 'webhooks were not enqueued')
      })
      await pause()
    }
    adding = false
  }

  return (ids) => {
    if (waiting.length < mostWaiting) waiting.push(...ids)
    if (!adding) void addEntries()
  }
}
