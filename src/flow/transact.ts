import type { AnnouncementKind, Announcements } from '../domain/outbox.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import { type Announcement, announce } from '../store/outbox.ts'
import { inTransaction } from '../store/transaction.ts'
import type { Context } from './context.ts'
import { queueOfStream } from './report/streams.ts'

/**
 * The context of a verb inside its transaction. `db` is the transaction's own handle. The queue,
 * the code hosts and the notifier are missing on purpose: no transaction waits for a network.
 */
export interface Transaction extends Omit<
  Context,
  'enqueue' | 'enqueueAll' | 'codehosts' | 'notifier'
> {
  /** Enqueues an entry after the commit, to be processed after `delay` ms; equal ones are enqueued once. */
  follow<N extends QueueName>(name: N, payload: Payloads[N], delay?: number): void
  /**
   * Has a row written to the outbox at the end of the transaction, one for equal ones, and the publishing of
   * its stream enqueued after the commit.
   */
  announce<K extends AnnouncementKind>(kind: K, stream: string, payload: Announcements[K]): void
}

/**
 * Makes a change in one transaction, and enqueues the entries that follow from it once it is
 * committed: those of `follow` queue by queue, in their order, then those of the outbox. A change that
 * throws leaves neither rows nor entries. An entry that cannot be enqueued throws too, but the change
 * stays: the sweep enqueues it again.
 */
export async function transact<T>(
  ctx: Context,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const { enqueue, enqueueAll, codehosts: _codehosts, notifier: _notifier, ...world } = ctx
  const entries: Entries = {}
  const adding = new Map<string, () => Promise<void>>()
  const announcements = new Map<string, Announcement>()
  let announced: Promise<unknown> = Promise.resolve()
  const result = await inTransaction(ctx.db, async (db) => {
    const changed = await change({
      ...world,
      db,
      follow(name, payload, delay = 0) {
        const key = JSON.stringify([name, payload, delay])
        if (delay > 0) {
          adding.set(key, () => enqueue(name, payload, { delay }))
          return
        }
        const ofQueue = entriesOf(entries, name)
        ofQueue.set(key, payload)
        adding.set(name, () => enqueueAll(name, [...ofQueue.values()]))
      },
      announce(kind, stream, payload) {
        const announcement = { kind, stream, payload }
        announcements.set(JSON.stringify(announcement), announcement)
      },
    })
    // Sent with the commit, which is refused when it fails.
    announced = announce(db, [...announcements.values()])
    announced.catch(() => {})
    return changed
  }).catch(async (error: unknown) => {
    await announced
    throw error
  })
  await announced
  for (const add of adding.values()) await add()
  const streams = new Set([...announcements.values()].map(({ stream }) => stream))
  for (const stream of streams) await enqueue(queueOfStream(stream), { stream })
  return result
}

/** The entries of each queue, by a text that equal ones have in common. */
type Entries = { [N in QueueName]?: Map<string, Payloads[N]> }

function entriesOf<N extends QueueName>(entries: Entries, name: N): Map<string, Payloads[N]> {
  const known: Map<string, Payloads[N]> = entries[name] ?? new Map<string, Payloads[N]>()
  entries[name] = known as Entries[N]
  return known
}
