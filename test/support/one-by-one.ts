import type { Enqueue, EnqueueAll } from '../../src/queue/queues.ts'

/** The way of adding many entries that a double has which adds one. */
export function oneByOne(enqueue: Enqueue): EnqueueAll {
  return async (name, payloads) => {
    for (const payload of payloads) await enqueue(name, payload)
  }
}
