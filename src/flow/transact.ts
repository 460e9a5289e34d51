import type { AnnouncementKind, Announcements } from '../domain/outbox.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import { announce } from '../store/outbox.ts'
import type { Context } from './context.ts'

/**
 * The context of a verb inside its transaction. `db` is the transaction's own handle. The queue and
 * the code hosts are missing on purpose: no transaction waits for a network.
 */
export interface Transaction extends Omit<Context, 'enqueue' | 'codehosts'> {
  /** Enqueues an entry after the commit, to be processed after `delay` ms; equal ones are enqueued once. */
  follow<N extends QueueName>(name: N, payload: Payloads[N], delay?: number): void
  /** Writes a row to the outbox, and enqueues the publishing of its stream after the commit. */
  announce<K extends AnnouncementKind>(
    kind: K,
    stream: string,
    payload: Announcements[K],
  ): Promise<void>
}

/**
 * Makes a change in one transaction, and enqueues the entries that follow from it once it is
 * committed: those of `follow` in their order, then those of the outbox. A change that throws leaves
 * neither rows nor entries. An entry that cannot be enqueued throws too, but the change stays:
 * the sweep enqueues it again.
 */
export async function transact<T>(
  ctx: Context,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { enqueue, codehosts: _codehosts, ...world } = ctx
  const entries = new Map<string, () => Promise<void>>()
  const streams = new Set<string>()
  const result = await ctx.db.transaction().execute((db) =>
    change({
      ...world,
      db,
      follow(name, payload, delay = 0) {
        const add = () => (delay > 0 ? enqueue(name, payload, { delay }) : enqueue(name, payload))
        entries.set(JSON.stringify([name, payload, delay]), add)
      },
      async announce(kind, stream, payload) {
        await announce(db, kind, stream, payload)
        streams.add(stream)
      },
    }),
  )
  for (const add of entries.values()) await add()
  for (const stream of streams) await enqueue('outbox.publish', { stream })
  return result
}
