import type { AnnouncementKind, Announcements } from '../domain/outbox.ts'
import type { Payloads, QueueName } from '../queue/queues.ts'
import { type Announcement, announce } from '../store/outbox/outbox.ts'
import { inTransaction, unlessUndone } from '../store/sql/transaction.ts'
import type { Context } from './context.ts'
import { queueOfStream } from './statuses/streams.ts'

/**
 * The context of a verb inside its transaction. `db` is the transaction's own handle. The queue,
 * the code hosts, the notifier and the stores of objects are missing on purpose: no transaction waits for a network.
 */
export type Transaction = TransactionOf<Context>

/** The transaction of a verb that needs only a part of the context. */
export type TransactionOf<C> = Omit<
  C,
  'enqueue' | 'enqueueAll' | 'codehosts' | 'notifier' | 'objects'
> &
  Ends

interface Ends {
  /** Enqueues an entry after the commit, to be processed after `delay` ms, and equal entries once. */
  follow<N extends QueueName>(name: N, payload: Payloads[N], delay?: number): void
  /**
   * Writes a row to the outbox at the end of the transaction, once for equal rows, and enqueues the
   * publishing of its stream after the commit.
   */
  announce<K extends AnnouncementKind>(kind: K, stream: string, payload: Announcements[K]): void
}

/**
 * Makes a change in one transaction, and enqueues the entries that follow from it once it is
 * committed: those of `follow` queue by queue, in order, then those of the outbox. If the change throws,
 * neither rows nor entries are stored. If an entry cannot be enqueued, this throws as well, but the change
 * stays: the sweep enqueues the entry again. A change that the database undid because of a concurrent one is
 * repeated, so it must not keep state outside of its transaction.
 */
export async function transact<C extends Needed, T>(
  ctx: C,
  change: (tx: TransactionOf<C>) => Promise<T>,
): Promise<T> {
  const { result, enqueueAll } = await unlessUndone(() => makeOnce(ctx, change))
  await enqueueAll()
  return result
}

/** Makes a change; also returns a function that enqueues the entries that follow from it. */
async function makeOnce<C extends Needed, T>(ctx: C, change: (tx: TransactionOf<C>) => Promise<T>) {
  const {
    enqueue,
    enqueueAll,
    codehosts: _codehosts,
    notifier: _notifier,
    objects: _objects,
    ...world
  } = ctx
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
    // Sent together with the commit, which is refused if writing these rows fails.
    announced = announce(db, [...announcements.values()])
    announced.catch(() => {})
    return changed
  }).catch(async (error: unknown) => {
    await announced
    throw error
  })
  await announced
  return {
    result,
    async enqueueAll() {
      for (const add of adding.values()) await add()
      const streams = new Set([...announcements.values()].map(({ stream }) => stream))
      for (const stream of streams) await enqueue(queueOfStream(stream), { stream })
    },
  }
}

type Needed = Pick<Context, 'db' | 'enqueue' | 'enqueueAll'> &
  Partial<Pick<Context, 'codehosts' | 'notifier' | 'objects'>>

/** The entries of each queue, by a key that equal entries share. */
type Entries = { [N in QueueName]?: Map<string, Payloads[N]> }

function entriesOf<N extends QueueName>(entries: Entries, name: N): Map<string, Payloads[N]> {
  const known: Map<string, Payloads[N]> = entries[name] ?? new Map<string, Payloads[N]>()
  entries[name] = known as Entries[N]
  return known
}
