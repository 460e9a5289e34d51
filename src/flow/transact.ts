import type { AnnouncementKind, Announcements } from '../domain/outbox.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import { type Announcement, announce } from '../store/outbox.ts'
import type { Context } from './context.ts'
import { queueOfStream } from './report/streams.ts'

/**
 * The context of a verb inside its transaction. `db` is the transaction's own handle. The queue,
 * the code hosts and the notifier are missing on purpose: no transaction waits for a network.
 */
export interface Transaction extends Omit<Context, 'enqueue' | 'codehosts' | 'notifier'> {
  /** Enqueues an entry after the commit, to be processed after `delay` ms; equal ones are enqueued once. */
  follow<N extends QueueName>(name: N, payload: Payloads[N], delay?: number): void
  /**
   * Has a row written to the outbox at the end of the transaction, and the publishing of its stream
   * enqueued after the commit.
   */
  announce<K extends AnnouncementKind>(kind: K, stream: string, payload: Announcements[K]): void
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
  const { enqueue, codehosts: _codehosts, notifier: _notifier, ...world } = ctx
  const entries = new Map<string, () => Promise<void>>()
  const announcements: Announcement[] = []
  const result = await ctx.db.transaction().execute(async (db) => {
    const changed = await change({
      ...world,
      db,
      follow(name, payload, delay = 0) {
        const add = () => (delay > 0 ? enqueue(name, payload, { delay }) : enqueue(name, payload))
        entries.set(JSON.stringify([name, payload, delay]), add)
      },
      announce(kind, stream, payload) {
        announcements.push({ kind, stream, payload })
      },
    })
    await announce(db, announcements)
    return changed
  })
  for (const add of entries.values()) await add()
  const streams = new Set(announcements.map(({ stream }) => stream))
  for (const stream of streams) await enqueue(queueOfStream(stream), { stream })
  return result
}
